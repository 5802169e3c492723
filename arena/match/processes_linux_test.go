package match

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/engine/game"
	"thera/engine/gametest/nim"
)

// What an engine does with processes has its verdict, harms nobody else, and
// leaves no process.
func TestProcessFaults(t *testing.T) {
	for _, tt := range []struct {
		fault string
		kind  game.FaultKind // "" for what is no fault
		text  string
	}{
		{"setpgid", "", ""},
		{"setpgidmemory", game.FaultMemory, "64 MiB allowed"},
		{"daemon", "", ""},
		{"daemonmemory", game.FaultMemory, "64 MiB allowed"},
		{"memfd", game.FaultMemory, "64 MiB allowed"},
		{"chain", "", ""},
		{"forkchain", "", ""},
		{"forks", "", ""},
		{"stopself", game.FaultTimeout, "used"},
		{"childwork", game.FaultTimeout, "CPU of 50ms"},
	} {
		t.Run(tt.fault, func(t *testing.T) {
			p := plan(nim.New(21), tt.fault)
			mark := fmt.Sprintf("%s.%d.%d", tt.fault, os.Getpid(), time.Now().UnixNano())
			for i := range p.Engines {
				p.Engines[i].Env = append(p.Engines[i].Env, faultkit.Marker+"="+mark)
			}
			if tt.kind == game.FaultMemory {
				p.Engines[1].Memory = 64 << 20
			}
			if tt.fault == "childwork" {
				p.Limit = arena.Limit{CPU: 50 * time.Millisecond, Grace: 30 * time.Millisecond, MaxMove: time.Minute, Start: time.Minute, Sync: time.Minute}
			} else if tt.kind == game.FaultTimeout {
				p.Limit.Move, p.Limit.Grace = 60*time.Millisecond, 40*time.Millisecond
			}
			for i, rec := range games(t, p, 1, Options{}) {
				checkVerdict(t, i, rec, tt.kind, tt.text)
			}
			if left := marked(t, mark); len(left) > 0 {
				t.Errorf("processes left: %v", left)
			}
			var dead unix.Siginfo
			if err := unix.Waitid(unix.P_ALL, 0, &dead, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil); err == nil && dead.Signo != 0 {
				t.Error("a process of it ended and was not reaped: they use up the machine's numbers")
			}
		})
	}
}

// The same holds for an ordinary user.
func TestProcessFaultsAsAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("this is an ordinary user already")
	}
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	copied := filepath.Join(dir, "match.test")
	if err := os.WriteFile(copied, self, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(copied, "-test.run=^TestProcessFaults$", "-test.v")
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "--- PASS: TestProcessFaults/") < 10 {
		t.Errorf("%v: %s", err, out)
	}
}

// CPU time that a child uses on the opponent's turn is the engine's, and so is
// that of an engine behind a script.
func TestIdleCPUOfAll(t *testing.T) {
	for _, fault := range []string{"childponder", "ponderous"} {
		p := plan(nim.New(10), fault)
		bad := &p.Engines[1]
		bad.IdleCPU = 10 * time.Millisecond
		if fault == "ponderous" {
			bad.Command = append([]string{"/bin/sh", "-c", `"$0"; exit`}, bad.Command...)
		}
		// The healthy engine is slow enough for the other one to work on its time.
		argv, env := faultkit.Command("sleep=400")
		p.Engines[0].Command, p.Engines[0].Env = argv, env
		rec := games(t, p, 1, Options{})[0]
		if rec.Source != arena.Natural || !strings.Contains(strings.Join(rec.Warnings, "\n"), "bad: used CPU on the opponent's time") {
			t.Errorf("%s: %s %v, idle %v", fault, rec.Source, rec.Warnings, rec.Idle)
		}
		if rec.Idle[0] > 100*time.Millisecond {
			t.Errorf("%s: the healthy engine was charged %v", fault, rec.Idle[0])
		}
	}
}

// marked lists the processes that have a mark, in their environment or in
// their arguments.
func marked(t *testing.T, mark string) []string {
	t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no processes to be seen: %v", err)
	}
	var left []string
	for _, path := range paths {
		for _, file := range []string{"environ", "cmdline"} {
			if text, err := os.ReadFile(filepath.Join(path, file)); err == nil && strings.Contains(string(text), mark) {
				left = append(left, path)
			}
		}
	}
	return left
}
