package protocol

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func collect(t *testing.T, in io.Reader, ends LineEnds) []string {
	t.Helper()
	var got []string
	err := Lines(in, ends, func(line []byte, err error) bool {
		if err != nil {
			got = append(got, "error: "+err.Error())
			return true
		}
		got = append(got, string(line))
		return string(line) != "quit"
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestLines(t *testing.T) {
	tests := []struct {
		name, in string
		ends     LineEnds
		want     []string
	}{
		{"newline", "a\nb\n", Newline, []string{"a", "b"}},
		{"no final newline", "a\nb", Newline, []string{"a", "b"}},
		{"crlf", "a\r\nb\r\n", Newline, []string{"a", "b"}},
		{"lone cr is text", "a\rb\n", Newline, []string{"a\rb"}},
		{"blank lines", "\n\na\n", Newline, []string{"", "", "a"}},
		{"any end", "a\rb\r\nc\nd\r", AnyEnd, []string{"a", "b", "c", "d"}},
		{"any end, blank", "a\r\rb\n\nc", AnyEnd, []string{"a", "", "b", "", "c"}},
		{"stops", "a\nquit\nb\n", Newline, []string{"a", "quit"}},
		{"empty", "", Newline, nil},
		{"too long", strings.Repeat("x", maxLine+1) + "\nok\n", Newline, []string{"error: " + errLong.Error(), "ok"}},
		{"just fits", strings.Repeat("x", maxLine) + "\n", Newline, []string{strings.Repeat("x", maxLine)}},
		{"too long, no end", "a\n" + strings.Repeat("x", maxLine+1), Newline, []string{"a", "error: " + errLong.Error()}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, collect(t, strings.NewReader(tt.in), tt.ends)); diff != "" {
				t.Errorf("whole: (-want +got)\n%s", diff)
			}
			if len(tt.in) > 100 {
				return
			}
			if diff := cmp.Diff(tt.want, collect(t, iotest.OneByteReader(strings.NewReader(tt.in)), tt.ends)); diff != "" {
				t.Errorf("byte by byte: (-want +got)\n%s", diff)
			}
		})
	}
}

func TestLinesReportsReadError(t *testing.T) {
	broken := errors.New("broken")
	err := Lines(iotest.ErrReader(broken), Newline, func([]byte, error) bool { return true })
	if !errors.Is(err, broken) {
		t.Errorf("err = %v, want %v", err, broken)
	}
}

// A lone \r must end a command at once, without waiting for a \n to follow.
func TestLoneReturnIsNotDelayed(t *testing.T) {
	r, w := io.Pipe()
	got := make(chan string)
	go func() {
		_ = Lines(r, AnyEnd, func(line []byte, _ error) bool {
			got <- string(line)
			return true
		})
		close(got)
	}()
	_, _ = w.Write([]byte("stop\r"))
	if line := <-got; line != "stop" {
		t.Errorf("got %q", line)
	}
	_, _ = w.Write([]byte("\nnext\n"))
	if line := <-got; line != "next" {
		t.Errorf("got %q", line)
	}
	w.Close()
}
