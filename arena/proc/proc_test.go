//go:build linux

package proc

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"thera/engine/gametest"
)

// say reads until the end of output.
func say(t *testing.T, p *Process) string {
	t.Helper()
	var text strings.Builder
	buf := make([]byte, 4096)
	for end := time.Now().Add(patience); time.Now().Before(end); {
		n, err := p.Read(buf, time.Second)
		text.Write(buf[:n])
		if errors.Is(err, io.EOF) {
			return text.String()
		}
	}
	t.Fatalf("no end of output after %q", text.String())
	return ""
}

func TestStartError(t *testing.T) {
	s, b := spawner(t), box(t)
	for _, spec := range []Spec{
		{Argv: []string{"/no/such/engine"}},
		{Argv: []string{"/no/such/engine"}, Box: b},
		{Argv: []string{"no-such-engine-in-path"}},
		{Argv: []string{"sh"}, Dir: "/no/such/folder"},
		{Argv: []string{"/etc/passwd"}},
		{Argv: []string{"/etc/passwd"}, Box: b},
		{Argv: []string{"/"}, Box: b},
		{},
	} {
		_, err := s.Start(spec)
		var start *StartError
		if !errors.As(err, &start) || len(spec.Argv) > 0 && !strings.Contains(err.Error(), spec.Argv[0]) {
			t.Errorf("%v: %v", spec.Argv, err)
		}
	}
}

// The error of a script that cannot be started says why.
func TestScriptsThatDoNotStart(t *testing.T) {
	s, dir := spawner(t), t.TempDir()
	for text, want := range map[string]string{
		"print(1)\n":                    "it has no #! line: write one, or name the interpreter in command",
		"#!/bin/sh\r\nexit\r\n":         `"/bin/sh\r": its first line, "#!/bin/sh\r", ends in CR LF`,
		"#!/usr/bin/env sh\r\nexit\r\n": `"sh\r": its first line, "#!/usr/bin/env sh\r", ends in CR LF`,
		"#!/no/such/interpreter -x\n":   `its first line names "/no/such/interpreter -x"`,
	} {
		gametest.OK(t, os.WriteFile(filepath.Join(dir, "bot"), []byte(text), 0o755))
		for _, spec := range []Spec{{Argv: []string{"./bot"}, Dir: dir}, {Argv: []string{filepath.Join(dir, "bot")}}} {
			if _, err := s.Start(spec); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %s", text, err, want)
			}
		}
	}
}

func openFiles(t testing.TB) int {
	t.Helper()
	names, err := os.ReadDir("/proc/self/fd")
	gametest.OK(t, err)
	return len(names)
}

func TestNoFilesLeft(t *testing.T) {
	s := spawner(t)
	var before int
	for i := range 20 {
		p := launch(t, s, Spec{Argv: []string{"true"}})
		p.Close()
		if s.inits.ends.Wait(); i == 0 {
			before = openFiles(t) // with an init for the next start
		}
		if _, err := s.Start(Spec{Argv: []string{"/no/such/engine"}}); err == nil {
			t.Fatal("started nothing")
		}
	}
	s.inits.ends.Wait()
	if after := openFiles(t); after > before {
		t.Errorf("%d files open, %d before", after, before)
	}
}

// A process is bound to its cores before its first instruction.
func TestAffinity(t *testing.T) {
	p := launch(t, spawner(t), Spec{Argv: []string{"grep", "Cpus_allowed_list", "/proc/self/status"}, CPUs: []int{1}})
	if got := strings.Fields(say(t, p)); len(got) != 2 || got[1] != "1" {
		t.Errorf("allowed %q, want 1", got)
	}
	if _, err := spawner(t).Start(Spec{Argv: []string{"true"}, CPUs: []int{1000}}); err == nil || !strings.Contains(err.Error(), "1000") {
		t.Errorf("core 1000: %v", err)
	}
	// The thread of the spawner is free again.
	q := launch(t, spawner(t), Spec{Argv: []string{"grep", "Cpus_allowed_list", "/proc/self/status"}})
	if got := strings.Fields(say(t, q)); len(got) != 2 || got[1] == "1" {
		t.Errorf("allowed %q without a binding", got)
	}
}

func TestCPUClock(t *testing.T) {
	p := launch(t, spawner(t), Spec{Argv: []string{"sh", "-c", "i=0; while :; do i=$((i+1)); done"}})
	until(t, "the clock of a loop goes on", func() bool { return p.CPU() > 30*time.Millisecond })
	q := launch(t, spawner(t), Spec{Argv: []string{"sleep", "61.5"}})
	until(t, "the clock of a sleeper stands still", func() bool {
		before := q.CPUNow()
		time.Sleep(20 * time.Millisecond)
		return q.CPUNow() == before
	})
}

// Close ends what left the process group and lost its parent.
func TestCloseEndsEscaped(t *testing.T) {
	for name, script := range map[string]string{
		"group":           "sleep 61.5 & echo $!; wait",
		"session":         "setsid sleep 61.5 & echo $!; wait",
		"orphan":          "(setsid sh -c 'echo $$; exec sleep 61.5' &) ; sleep 61.5",
		"orphan, exited":  "(setsid sh -c 'echo $$; exec sleep 61.5' &) ; read go; exit 0",
		"always another":  `S='exec sh -c "$S"'; export S; (setsid sh -c 'echo $$; eval "$S"' &) ; sleep 61.5`,
		"no environment":  "setsid env -i sleep 61.5 & echo $!; wait",
		"hidden":          "(setsid env -i sh -c 'echo $$; exec sleep 61.5' &) ; sleep 61.5",
		"hidden, exited":  "(setsid env -i sh -c 'echo $$; exec sleep 61.5' &) ; read go; exit 0",
		"stopped":         "echo $$; kill -STOP $$; sleep 61.5",
		"ignores SIGTERM": "trap '' TERM; echo $$; while :; do sleep 1; done",
	} {
		t.Run(name, func(t *testing.T) { nothingSurvives(t, script, strings.Contains(name, "exited")) })
	}
}

// nothingSurvives starts an engine that says the number of a process, and closes it, once it
// has exited by itself if it does. Neither that process lives then nor the engine, and
// another engine does.
func nothingSurvives(t *testing.T, script string, exits bool) {
	t.Helper()
	s := spawner(t)
	bystander := launch(t, s, Spec{Argv: []string{"sleep", "61.5"}})
	p := launch(t, s, Spec{Argv: []string{"sh", "-c", script}})
	pid := readPid(t, p)
	_, _ = p.Write([]byte("go\n"), patience) // those that exit wait for it
	if exits {
		<-p.Done()
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if alive(pid) || alive(p.Pid()) {
		t.Errorf("%d or %d lives", pid, p.Pid())
	}
	if _, over := bystander.Exited(); over {
		t.Error("another engine was ended too")
	}
}

// What an engine left behind and what then ended by itself does not stay as a
// zombie.
func TestAdoptedAreReaped(t *testing.T) {
	s := spawner(t)
	p := launch(t, s, Spec{Argv: []string{"sh", "-c", "(setsid sh -c 'echo $$; exec 1>&-; sleep 0.05' &) ; read quit"}})
	pid := readPid(t, p)
	until(t, "it is no longer in the process table", func() bool {
		_, ok := readStat(pid)
		return !ok
	})
}

func TestWake(t *testing.T) {
	p := launch(t, spawner(t), Spec{Argv: []string{"sleep", "61.5"}})
	p.Wake()
	if _, err := p.Read(make([]byte, 1), patience); !errors.Is(err, ErrWoken) {
		t.Errorf("err = %v, want %v", err, ErrWoken)
	}
	var err error
	for err == nil { // a signal may interrupt the wait
		_, err = p.Read(make([]byte, 1), time.Millisecond)
	}
	if !errors.Is(err, ErrDeadline) {
		t.Errorf("err = %v, want %v", err, ErrDeadline)
	}
	err = nil
	big := make([]byte, 1<<20)
	for n := 1; err == nil; n, err = p.Write(big, time.Millisecond) {
		_ = n
	}
	if !errors.Is(err, ErrDeadline) {
		t.Errorf("writing to a deaf process: %v, want %v", err, ErrDeadline)
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	var a tail
	for i := range 30000 {
		_, _ = a.Write([]byte(strconv.Itoa(i) + "\n"))
	}
	got := a.String()
	if len(got) != stderrTail || !strings.HasSuffix(got, "\n29998\n29999\n") {
		t.Errorf("%d bytes, ending %q", len(got), got[len(got)-20:])
	}
	var b tail
	_, _ = b.Write([]byte(strings.Repeat("x", 100_000) + "end"))
	if got := b.String(); len(got) != stderrTail || !strings.HasSuffix(got, "xend") {
		t.Errorf("%d bytes", len(got))
	}
}
