package protocol

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("x", maxLine-2)
	for in, want := range map[string][]string{
		"a\nb\n":                    {"a", "b"},
		"a\nb":                      {"a", "b"},
		"\n\na\r\r\n\nb":            {"a", "b"},
		"a\rb\r\nc\nd\r":            {"a", "b", "c", "d"},
		"a\nquit\nb\n":              {"a", "quit"},
		"":                          nil,
		long + "\nok\n":             {long, "ok"},
		"a\n" + long + long + "\nb": {"a", long + "xx", "b"},
	} {
		readers := []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in))}
		if len(in) > 100 {
			readers = readers[:1]
		}
		for _, in := range readers {
			var got []string
			err := Lines(in, func(line []byte) bool {
				got = append(got, string(line))
				return string(line) != "quit"
			})
			if err != nil {
				got = append(got, errors.Unwrap(err).Error())
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		}
	}
	broken := errors.New("broken")
	if err := Lines(iotest.ErrReader(broken), func([]byte) bool { return true }); !errors.Is(err, broken) {
		t.Errorf("err = %v, want %v", err, broken)
	}
}

// A lone \r must end a command at once, without waiting for a \n to follow.
func TestLoneReturnIsNotDelayed(t *testing.T) {
	r, w := io.Pipe()
	got := make(chan string)
	go func() {
		_ = Lines(r, func(line []byte) bool {
			got <- string(line)
			return true
		})
		close(got)
	}()
	for text, want := range map[string]string{"stop\r": "stop", "next\n": "next"} {
		_, _ = w.Write([]byte(text))
		if line := <-got; line != want {
			t.Errorf("got %q, want %q", line, want)
		}
	}
	w.Close()
}
