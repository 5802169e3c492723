package report

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"thera/arena"
	"thera/engine/gametest"
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
	gametest.OK(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	gametest.OK(t, err)
	gametest.OK(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}))
	screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	gametest.OK(t, err)
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
			live := NewLive(screen, Again{Show: "thera replay"})
			live.Every(5, screen, 97, "")
			for _, e := range story(false) {
				live.Event(e)
			}
			gametest.OK(t, live.Close())
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

// shown is what a terminal shows of a text with the escape sequences of a progress bar.
func shown(t *testing.T, text string, columns int) (lines []string) {
	t.Helper()
	row, column := 0, 0
	sequence := regexp.MustCompile(`^\x1b\[(\d*)([A-Za-z])`)
	for len(text) > 0 {
		for len(lines) <= row {
			lines = append(lines, "")
		}
		if found := sequence.FindStringSubmatch(text); found != nil {
			text = text[len(found[0]):]
			switch n, _ := strconv.Atoi(found[1]); found[2] {
			case "A":
				row -= n
			case "J":
				lines = append(lines[:row], string([]rune(lines[row])[:column]))
			case "K":
				lines[row] = string([]rune(lines[row])[:column])
			default:
				t.Fatalf("the test does not know %q", found[0])
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		text = text[size:]
		switch {
		case r == '\r':
			column = 0
		case r == '\n':
			row++
		default:
			if column == columns { // it wraps
				t.Errorf("a line of more than %d columns: %q", columns, lines[row])
				row, column = row+1, 0
				continue
			}
			line := append([]rune(lines[row]), []rune(strings.Repeat(" ", max(0, column-len([]rune(lines[row])))))...)
			lines[row] = string(append(append(line[:column:column], r), line[min(column+1, len(line)):]...))
			column++
		}
	}
	return lines
}

// onScreen are the lines of a terminal of 80 columns after a run was shown.
func onScreen(t *testing.T, run func(*Live)) []string {
	t.Helper()
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	t.Setenv("COLUMNS", "")
	master, screen := terminal(t, 80)
	seen := make(chan []byte, 1)
	go func() { seen <- readUntil(master, "the end") }()
	live := NewLive(screen, Again{Show: "thera replay"})
	run(live)
	err := live.Close()
	live.Say("the end")
	gametest.OK(t, err)
	return shown(t, string(<-seen), 80)
}

// Whatever is said while a run is shown at 80 columns, there is one bar, below all lines, and each line is
// there once. What the terminal shows of keys, as ^C, leaves nothing.
func TestOneBar(t *testing.T) {
	lines := onScreen(t, func(live *Live) {
		long := strings.Repeat("word ", 30)
		live.Say("before: " + long)
		for i, e := range story(true) {
			live.Event(e)
			live.Say(fmt.Sprintf("after event %d: %s", i, long))
			if live.bar.progress != nil {
				fmt.Fprint(live.out, "^C")
			}
		}
	})
	all := strings.Join(lines, "\n")
	for _, word := range []string{"░", "before: ", "after event 0:", "after event 9:", "crashed: signal 11"} {
		if n := strings.Count(all, word); n == 0 || word != "░" && n != 1 {
			t.Errorf("%q is there %d times:\n%s", word, n, all)
		}
	}
	bars := 0
	for _, line := range lines {
		if strings.Contains(line, "^C") || strings.Contains(line, "after") && !strings.HasPrefix(line, "after") {
			t.Errorf("%q has something of a key or of the bar", line)
		}
		if strings.Contains(line, "░") {
			bars++
		}
	}
	if bars != 1 || !strings.Contains(lines[len(lines)-2], "░") {
		t.Errorf("%d bars:\n%s", bars, all)
	}
}

// The bar of a run that has played all of its games is full.
func TestBarIsFullAtTheEnd(t *testing.T) {
	lines := onScreen(t, func(live *Live) {
		for played := 1; played <= 4; played++ {
			live.Event(arena.Event{Kind: arena.Progressed, Played: played, Total: 4, Summary: &arena.Summary{}})
		}
	})
	if last := lines[len(lines)-2]; !strings.HasPrefix(last, strings.Repeat("█", 24)) || !strings.Contains(last, "4/4 games") {
		t.Errorf("the bar ends as %q", last)
	}
}
