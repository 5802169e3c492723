package player

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/proc"
	"thera/engine/game"
	"thera/engine/gametest"
)

// all reads until a fault and returns the lines.
func all(t *testing.T, c *Conn) ([]string, *game.Fault) {
	t.Helper()
	var lines []string
	for {
		line, err := c.Recv(context.Background())
		var fault *game.Fault
		if errors.As(err, &fault) {
			return lines, fault
		}
		gametest.OK(t, err)
		lines = append(lines, string(line))
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 70_000)
	for _, tt := range []struct {
		name string
		said []string
		want []string
	}{
		{"plain", []string{"a\nb\n"}, []string{"a", "b"}},
		{"split", []string{"a", "b\nc", "d\n"}, []string{"ab", "cd"}},
		{"crlf", []string{"a\r\nb\r", "\n"}, []string{"a", "b"}},
		{"no final newline", []string{"a\nb"}, []string{"a", "b"}},
		{"blank", []string{"\n\n\r\n  \na\n\n"}, []string{"  ", "a"}},
		{"nul", []string{"\x00a\x00\x00\n\x00\nb\x00c\n"}, []string{"a", "b\x00c"}},
		{"bom", []string{"\xef\xbb\xbfa\n\xef\xbb\xbfb\n"}, []string{"a", "\xef\xbb\xbfb"}},
		{"long", []string{long + "\n" + long, "y\nz\n"}, []string{long, long + "y", "z"}},
		{"nothing", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, f *fake) {
				f.eof, f.ready = true, arena.Map(tt.said, func(s string) []byte { return []byte(s) })
				f.exit = &proc.Exit{}
				got, fault := all(t, ask(f, Limits{Hard: time.Hour}))
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("(-want +got)\n%.500s", diff)
				}
				if fault.Kind != game.FaultExited {
					t.Errorf("fault %v", fault)
				}
			})
		})
	}
}

// Endless output ends in a flood, also while the engine does not read its input.
func TestCaps(t *testing.T) {
	for _, tt := range []struct {
		name, said string
		times      int
		deaf       bool
		text       string
	}{
		{"a line without an end", strings.Repeat("x", 60_000), 30, false, "a line over 1048576 bytes"},
		{"a line too long", strings.Repeat("x", 1<<20+1) + "\n", 1, false, "a line over 1048576 bytes"},
		{"bytes", strings.Repeat("x", 500_000) + "\n", 140, false, "over 67108864 bytes a move"},
		{"lines", strings.Repeat("x\n", 5_000), 50, false, "over 200000 lines a move"},
		{"blank lines", strings.Repeat("\n", 50_000), 10, false, "over 200000 lines a move"},
		{"lines while it is deaf", strings.Repeat("x\n", 5_000), 200, true, "a line over 1048576 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, f *fake) {
				f.full, f.ready = tt.deaf, slices.Repeat([][]byte{[]byte(tt.said)}, tt.times)
				c := ask(f, Limits{Hard: time.Hour})
				if heard, fault := all(t, c); fault.Kind != game.FaultFlood || fault.Detail != tt.text || tt.deaf && len(heard) > 0 {
					t.Errorf("fault %v, want flood: %s", fault, tt.text)
				}
				if _, err := c.Recv(context.Background()); err == nil {
					t.Error("the connection lives on after a flood")
				}
				if len(c.buf) > 2<<20 {
					t.Errorf("the buffer grew to %d bytes", len(c.buf))
				}
			})
		})
	}
}

// A list of all moves may be long, and NewMove resets the count.
func TestCapsAreOfOneMove(t *testing.T) {
	bubble(t, func(t *testing.T, f *fake) {
		long := strings.Repeat("y", 10<<20)
		f.ready = [][]byte{[]byte(long + "\nok\n")}
		c := ask(f, Limits{Hard: time.Hour})
		c.listing(true)
		hears(t, c, long)
		hears(t, c, "ok")
		c.listing(false)
		for range 3 {
			c.NewMove()
			f.ready = append(f.ready, bytes.Repeat([]byte("x\n"), 100_000))
			for range 100_000 {
				hears(t, c, "x")
			}
		}
		if len(c.buf) > 1<<20 {
			t.Errorf("a buffer of %d bytes is kept after the list", len(c.buf))
		}
	})
}

func TestNotes(t *testing.T) {
	bubble(t, func(t *testing.T, f *fake) {
		c := ask(f, Limits{Hard: time.Hour})
		for i := range 100 {
			_ = c.Send([]byte(fmt.Sprint("q", i)))
		}
		_ = c.Send(bytes.Repeat([]byte("z"), 1000))
		tail := c.Tail()
		if len(tail) != ringLines || tail[ringLines-2] != "> q99" || len(tail[ringLines-1]) > keepBytes+10 {
			t.Errorf("tail %q", tail)
		}
		c.Warn("odd")
		c.Warn("odd")
		for _, n := range []int{1, 0} {
			if warnings, _ := c.Notes(); len(warnings) != n {
				t.Errorf("%q, want %d", warnings, n)
			}
		}
	})
}

// The lines do not depend on how the output is cut into reads.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\r\n\nb\x00\nc"), uint8(1))
	f.Add([]byte("\xef\xbb\xbfx\n\x00\n"), uint8(3))
	f.Fuzz(func(t *testing.T, text []byte, size uint8) {
		read := func(size int) []string {
			p := newFake()
			for piece := range slices.Chunk(text, size) {
				p.ready = append(p.ready, bytes.Clone(piece))
			}
			p.eof, p.chopped = true, true
			p.exit = &proc.Exit{}
			lines, _ := all(t, ask(p, Limits{Hard: time.Hour}))
			return lines
		}
		whole, cut := read(len(text)+1), read(int(size)+1)
		if diff := cmp.Diff(whole, cut); diff != "" {
			t.Error(diff)
		}
		for _, line := range whole {
			if line == "" || strings.ContainsAny(line, "\n") || strings.HasSuffix(line, "\r") {
				t.Errorf("line %q", line)
			}
		}
	})
}
