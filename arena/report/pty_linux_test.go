package report

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal returns both ends of a new pseudo-terminal: what a program writes to
// screen can be read from master.
func terminal(t *testing.T, columns uint16) (master, screen *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
	screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { screen.Close() })
	return master, screen
}

// readUntil reads up to a text, or an error.
func readUntil(r io.Reader, end string) (text []byte) {
	for part := make([]byte, 4096); !bytes.Contains(text, []byte(end)); {
		n, err := r.Read(part)
		text = append(text, part[:n]...)
		if err != nil {
			break
		}
	}
	return text
}

// A terminal is as wide as it says, unless COLUMNS says more; NO_COLOR and a dumb
// terminal get no escape sequence, also while a run is shown.
func TestTerminal(t *testing.T) {
	for _, tt := range []struct {
		name, noColour, term, columns string
		width                         int
		escapes                       bool
	}{
		{"plain", "", "xterm", "", 97, true},
		{"COLUMNS", "", "xterm", "50", 50, true},
		{"bad COLUMNS", "", "xterm", "-1", 97, true},
		{"NO_COLOR", "1", "xterm", "", 97, false},
		{"dumb", "", "dumb", "", 97, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("NO_COLOR", tt.noColour)
			t.Setenv("TERM", tt.term)
			t.Setenv("COLUMNS", tt.columns)
			master, screen := terminal(t, 97)
			if got := Columns(screen); got != tt.width {
				t.Errorf("%d columns, want %d", got, tt.width)
			}
			if got := Escapes(screen); got != tt.escapes || !IsTerminal(screen) {
				t.Errorf("escapes %v, want %v", got, tt.escapes)
			}
			seen := make(chan []byte, 1)
			go func() { seen <- readUntil(master, "the end") }() // a terminal that nobody reads stops the writer
			live := NewLive(screen, false, "thera replay")
			live.Every(5, screen, 97, "")
			for _, e := range story(false) {
				live.Event(e)
			}
			if err := live.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := screen.WriteString("the end\n"); err != nil {
				t.Fatal(err)
			}
			text := <-seen
			if tt.name == "plain" && !bytes.Contains(text, []byte("14/400 games")) {
				t.Errorf("no bar: %q", text)
			}
			if got := bytes.Contains(text, []byte("\x1b")); got != tt.escapes || !bytes.Contains(text, []byte("Nothing can be said about new and old")) {
				t.Errorf("escape sequences %v, want %v: %q", got, tt.escapes, text)
			}
		})
	}
	if got := Columns(new(bytes.Buffer)); os.Getenv("COLUMNS") == "" && got != 0 {
		t.Errorf("a buffer has %d columns", got)
	}
}
