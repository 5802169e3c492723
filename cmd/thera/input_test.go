//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"thera/engine/gametest"
)

// An endless line is an error; the story judge has shorter ones.
func TestLinesAreBounded(t *testing.T) {
	gametest.Sequential(t)
	status, out, errOut := thera("\n\n"+strings.Repeat(" ", maxLine+1), "judge", "santorini")
	if status != exitBadInput || !strings.Contains(errOut, "too long") || out != "" {
		t.Errorf("exit %d, %.99s, %s", status, out, errOut)
	}
}

// Ctrl-C ends commands that wait for input. Each first gets more than a pipe can hold, so
// that it must be reading, and the beginning of a line.
func TestCtrlCEndsWaitingCommands(t *testing.T) {
	blank := strings.Repeat(" ", 999) + "\n"
	for _, tt := range []struct {
		line string
		args []string
	}{
		{blank, []string{"moves", "santorini"}},
		{blank, []string{"judge", "santorini"}},
		{"a,b,1,2,3\n", []string{"rate"}},
		{blank, []string{"central", "builtin", "builtin"}},
	} {
		t.Run(tt.args[0], func(t *testing.T) {
			t.Parallel()
			theirs, ours, err := os.Pipe()
			gametest.OK(t, err)
			defer ours.Close()
			cmd := exec.CommandContext(t.Context(), "thera", tt.args...)
			cmd.Stdin = theirs
			var errOut bytes.Buffer
			cmd.Stderr = &errOut
			gametest.OK(t, cmd.Start())
			_ = theirs.Close()
			if _, err := io.WriteString(ours, strings.Repeat(tt.line, (1<<20)/len(tt.line))+"half"); err != nil {
				t.Fatal(err)
			}
			gametest.OK(t, cmd.Process.Signal(os.Interrupt))
			hung := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
			defer hung.Stop()
			_ = cmd.Wait()
			if cmd.ProcessState.ExitCode() != exitInterrupted || errOut.Len() > 0 {
				t.Errorf("%v, stderr %q", cmd.ProcessState, &errOut)
			}
		})
	}
}
