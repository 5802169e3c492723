//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"thera/engine/gametest"
)

// TestLinesAreBounded checks that an endless line is an error with its place,
// and that all lines before it are answered.
func TestLinesAreBounded(t *testing.T) {
	gametest.Sequential(t)
	endless := strings.Repeat("0", maxPosition) + "0"
	const start = "0000000000000000000000000/1/mortal:11,13/mortal:7,17"
	status, out, errOut := thera(start+"\n"+endless, "moves", "santorini")
	if status != exitBadInput || !strings.Contains(errOut, "stdin:2: line longer than 1048576 bytes") || strings.Count(out, "\n") != 1 {
		t.Errorf("moves: exit %d, %d lines, %s", status, strings.Count(out, "\n"), errOut)
	}
	status, _, errOut = thera("\n\n"+strings.Repeat(" ", maxLine+1), "judge", "santorini")
	if status != exitBadInput || !strings.Contains(errOut, "stdin:3: line longer than 67108864 bytes") {
		t.Errorf("judge: exit %d, %s", status, errOut)
	}
	status, _, errOut = thera("a,b,1,0,0\n"+strings.Repeat("a", maxRow+1), "rate")
	if status != exitBadInput || !strings.Contains(errOut, "stdin:2: line longer than 65536 bytes") {
		t.Errorf("rate: exit %d, %s", status, errOut)
	}
	status, _, errOut = thera("print\n"+strings.Repeat("p", maxCommand+1), "central", "builtin", "builtin")
	if status != exitBadInput || !strings.Contains(errOut, "stdin:2: line longer than 32768 bytes") {
		t.Errorf("central: exit %d, %s", status, errOut)
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		status, _, errOut = thera("", "rate", "/dev/zero")
		if status != exitBadInput || !strings.Contains(errOut, "/dev/zero:1: line longer than 65536 bytes") {
			t.Errorf("rate /dev/zero: exit %d, %s", status, errOut)
		}
	}
}

// TestRateAddsRowsUp checks that the memory for a list depends only on the
// number of players, and that too many players or bad rows end the reading.
func TestRateAddsRowsUp(t *testing.T) {
	_, once, _ := thera("a,b,2000,3000,1000\nb,c,2,2,1\n", "rate", "--json")
	_, often, _ := thera(strings.Repeat("a,b,2,3,1\n", 1000)+"b,c,2,2,1\n", "rate", "--json")
	if once != often {
		t.Errorf("in one row %s, in many %s", once, often)
	}
	var many strings.Builder
	for i := range maxPlayers {
		many.WriteString("hub,p")
		many.WriteString(strings.Repeat("x", i%7))
		many.WriteString(time.Duration(i).String())
		many.WriteString(",1,1,1\n")
	}
	status, _, errOut := thera(many.String(), "rate")
	if status != exitBadInput || !strings.Contains(errOut, "stdin:5000: more than 5000 players") {
		t.Errorf("exit %d, %s", status, errOut)
	}
	status, _, errOut = thera(strings.Repeat("bad\n", 1000), "rate")
	if status != exitBadInput || strings.Count(errOut, "\n") != maxProblems {
		t.Errorf("exit %d, %d problems", status, strings.Count(errOut, "\n"))
	}
	status, _, errOut = thera("a,b,1000000000000,0,0\na,b,1000000000000,0,0\n", "rate")
	if status != exitBadInput || !strings.Contains(errOut, "stdin:2: a - b in all: wins 2000000000000: want at most") {
		t.Errorf("exit %d, %s", status, errOut)
	}
}

// TestReadingEndsWithItsContext checks that a waiting read ends with its
// context and that no later input is lost.
func TestReadingEndsWithItsContext(t *testing.T) {
	in, out := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	waits := 0
	r := &interruptible{ctx: ctx, source: in, wait: func() error {
		if waits++; waits == 2 {
			cancel()
		}
		return nil
	}}
	go io.WriteString(out, "first")
	p := make([]byte, 3)
	for _, want := range []string{"fir", "st"} {
		if n, err := r.Read(p); err != nil || string(p[:n]) != want {
			t.Errorf("read %q, %v", p[:n], err)
		}
	}
	if n, err := r.Read(p); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("read %d bytes, %v", n, err)
	}
	if n, err := r.Read(p); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("again: read %d bytes, %v", n, err)
	}
	r.ctx = t.Context()
	go func() {
		io.WriteString(out, "second")
		out.Close()
	}()
	if text, err := io.ReadAll(r); err != nil || string(text) != "second" {
		t.Errorf("read %q, %v", text, err)
	}
}

// TestALineThatWasCutOff checks that a line cut off by the end of the context
// is not returned, and one cut off by the end of the input is.
func TestALineThatWasCutOff(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, out := io.Pipe()
	waits := 0
	lines := readLines(ctx, "stdin", in, 100, func() error {
		if waits++; waits == 2 {
			cancel()
		}
		return nil
	})
	go io.WriteString(out, "whole\nhalf")
	if line, err := lines.next(); string(line) != "whole\n" || err != nil {
		t.Errorf("%q, %v", line, err)
	}
	if line, err := lines.next(); line != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%q, %v", line, err)
	}
	lines = readLines(t.Context(), "stdin", strings.NewReader("whole\nhalf"), 100, nil)
	for _, want := range []string{"whole\n", "half"} {
		if line, err := lines.next(); string(line) != want || err != nil {
			t.Errorf("%q, %v, want %q", line, err, want)
		}
	}
	if _, err := lines.next(); err != io.EOF {
		t.Error(err)
	}
}

// waiting lists the commands that read stdin, with lines that they accept.
var waiting = map[string]struct {
	args []string
	line string
}{
	"moves":   {[]string{"moves", "santorini"}, strings.Repeat(" ", 999) + "\n"},
	"judge":   {[]string{"judge", "santorini"}, strings.Repeat(" ", 999) + "\n"},
	"rate":    {[]string{"rate"}, "a,b,1,2,3\n"},
	"central": {[]string{"central", "builtin", "builtin"}, strings.Repeat(" ", 999) + "\n"},
}

// TestCtrlCEndsWaitingCommands interrupts the program while it waits for input
// on an open pipe or socket. It first writes more than either can buffer, so
// that the program must be reading.
func TestCtrlCEndsWaitingCommands(t *testing.T) {
	for kind, open := range map[string]func(*testing.T) (theirs, ours *os.File){"pipe": pipe, "socket": socket} {
		for name, c := range waiting {
			t.Run(name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				theirs, ours := open(t)
				cmd := exec.CommandContext(t.Context(), "thera", c.args...)
				cmd.Stdin = theirs
				var out, errOut bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &errOut
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				_ = theirs.Close()
				if _, err := io.WriteString(ours, strings.Repeat(c.line, (1<<20)/len(c.line))); err != nil {
					t.Fatal(err)
				}
				if err := cmd.Process.Signal(os.Interrupt); err != nil {
					t.Fatal(err)
				}
				ended(t, cmd, &errOut)
			})
		}
	}
}

// ended checks that the program ends with exit status 130 and no output.
func ended(t *testing.T, cmd *exec.Cmd, errOut *bytes.Buffer) {
	t.Helper()
	hung := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer hung.Stop()
	_ = cmd.Wait()
	if cmd.ProcessState.ExitCode() != exitInterrupted || errOut.Len() > 0 {
		t.Errorf("%v, stderr %q", cmd.ProcessState, errOut)
	}
}

func pipe(t *testing.T) (theirs, ours *os.File) {
	theirs, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ours.Close() })
	return theirs, ours
}

func socket(t *testing.T) (theirs, ours *os.File) {
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	theirs, ours = os.NewFile(uintptr(ends[0]), "theirs"), os.NewFile(uintptr(ends[1]), "ours")
	syscall.CloseOnExec(ends[0])
	syscall.CloseOnExec(ends[1])
	t.Cleanup(func() { _ = ours.Close() })
	return theirs, ours
}
