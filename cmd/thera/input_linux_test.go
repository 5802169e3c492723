package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestCtrlCOnATerminal types Ctrl-C while the program waits for a line, and in
// the middle of a line.
func TestCtrlCOnATerminal(t *testing.T) {
	const game = `{"start":null,"moves":[]}` + "\n"
	const start = "0000000000000000000000000/1/mortal:11,13/mortal:7,17\n"
	for _, tt := range []struct {
		name, typed string
		args        []string
		answer      byte // the last of what comes before the program waits
	}{
		{"central", "", []string{"central", "builtin", "builtin"}, '>'},
		{"judge", game, []string{"judge", "santorini"}, '\n'},
		{"moves", start, []string{"moves", "santorini"}, '\n'},
	} {
		for _, half := range []string{"", "half a line"} {
			t.Run(tt.name+"/"+half, func(t *testing.T) {
				keyboard, terminal := pseudoTerminal(t)
				cmd := exec.CommandContext(t.Context(), "thera", tt.args...)
				cmd.Stdin = terminal
				cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
				var errOut bytes.Buffer
				cmd.Stderr = &errOut
				out, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				if _, err := io.WriteString(keyboard, tt.typed); err != nil {
					t.Fatal(err)
				}
				if _, err := bufio.NewReader(out).ReadString(tt.answer); err != nil {
					t.Fatalf("no answer: %v, %s", err, &errOut)
				}
				if _, err := io.WriteString(keyboard, half+"\x03"); err != nil {
					t.Fatal(err)
				}
				ended(t, cmd, &errOut)
			})
		}
	}
}

// pseudoTerminal opens a terminal and the file that types into it.
func pseudoTerminal(t *testing.T) (keyboard, terminal *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = keyboard.Close() })
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = terminal.Close() })
	return keyboard, terminal
}
