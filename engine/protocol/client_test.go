package protocol

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
)

// engine is a Conn to an engine that answers each line by rule.
type engine struct {
	answer func(line string) []string
	queue  []string
	sent   []string
	passed []string
	soft   int // soft limits that pass while nothing is queued
}

func (e *engine) Send(line []byte) error {
	e.sent = append(e.sent, string(line))
	e.queue = append(e.queue, e.answer(string(line))...)
	return nil
}

func (e *engine) Recv(context.Context) ([]byte, error) {
	if line, ok := e.Pending(); ok {
		return line, nil
	}
	if e.soft > 0 {
		e.soft--
		return nil, game.ErrSoft
	}
	return nil, &game.Fault{Kind: game.FaultTimeout, Detail: "silent"}
}

func (e *engine) Pending() ([]byte, bool) {
	if len(e.queue) == 0 {
		return nil, false
	}
	line := e.queue[0]
	e.queue = e.queue[1:]
	return []byte(line), true
}

func (e *engine) Warn(string)        {}
func (e *engine) Passed(line []byte) { e.passed = append(e.passed, string(line)) }

var ready = Fence{Question: "isready", Answer: "readyok"}

func readyEngine() *engine {
	return &engine{answer: func(line string) []string {
		if line == "isready" {
			return []string{"  readyok \r"}
		}
		return nil
	}}
}

func TestFencePassesOverLateAnswers(t *testing.T) {
	e := readyEngine()
	e.queue = []string{"readyok", "move late", " "}
	c := NewClient(e, ready)
	if err := c.Say("position", "x"); err != nil {
		t.Fatal(err)
	}
	c.Drain(nil) // an unexpected readyok is ignored
	if err := c.Ping(); err != nil {
		t.Fatal(err)
	}
	e.queue = append(e.queue, "move later")
	if err := c.Fence(t.Context(), nil); err != nil || c.Owed() != 0 {
		t.Errorf("%v, %d answers owed", err, c.Owed())
	}
	if diff := cmp.Diff([]string{"readyok", "move late", "move later"}, e.passed); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"position x", "isready", "isready"}, e.sent); diff != "" {
		t.Error(diff)
	}
}

func TestFenceUsesWhatTheGameWants(t *testing.T) {
	e := readyEngine()
	c := NewClient(e, ready)
	e.queue = []string{"error no", "noise"}
	refused := false
	err := c.Fence(t.Context(), func(line []byte) bool {
		refused = refused || string(line) == "error no"
		return string(line) == "error no"
	})
	if err != nil || !refused || len(e.passed) != 1 {
		t.Errorf("%v, refused %v, passed %q", err, refused, e.passed)
	}
}

// A silent engine is a timeout, and the answer stays owed: the next fence
// waits for both.
func TestFenceStaysOwed(t *testing.T) {
	e := readyEngine()
	answer := e.answer
	e.answer = func(string) []string { return nil }
	c := NewClient(e, ready)
	if err := c.Fence(t.Context(), nil); !IsTimeout(err) || c.Owed() != 1 {
		t.Fatalf("%v, %d answers owed", err, c.Owed())
	}
	e.answer = answer
	if err := c.Fence(t.Context(), nil); !IsTimeout(err) || c.Owed() != 1 {
		t.Errorf("one answer settles two questions: %v, %d owed", err, c.Owed())
	}
	e.queue = []string{"readyok"}
	if err := c.Settle(t.Context(), nil); err != nil || c.Owed() != 0 {
		t.Errorf("%v, %d answers owed", err, c.Owed())
	}
}

// The threads of some engines write to one line: the answer is found in it, and the
// rest of the line is kept.
func TestFenceInsideALine(t *testing.T) {
	for said, rest := range map[string]string{
		"readyokDepth: 30":  "Depth: 30",
		"Fen: readyok":      "Fen: ",
		"Fen: readyok O**O": "Fen:  O**O",
		" readyok\r":        "",
	} {
		e := readyEngine()
		e.answer = func(line string) []string { return []string{said} }
		within := ready
		within.Cut = Within
		c := NewClient(e, within)
		if err := c.Fence(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		var want []string
		if rest != "" {
			want = []string{rest}
		}
		if diff := cmp.Diff(want, e.passed); diff != "" {
			t.Errorf("%q: %s", said, diff)
		}
	}
	if _, found := Within([]byte("ready ok"), "readyok"); found {
		t.Error("an answer is found where none is")
	}
}

func TestReadStopsAtTheSoftLimit(t *testing.T) {
	e := readyEngine()
	answer := e.answer
	e.answer = func(line string) []string {
		if line == "stop" {
			return []string{"", "info", "move a"}
		}
		return answer(line)
	}
	e.soft = 1
	c := NewClient(e, ready)
	stop := func() (bool, error) {
		if err := c.Say("stop"); err != nil {
			return false, err
		}
		return false, c.Ping()
	}
	var lines []string
	err := c.Read(t.Context(), stop, func(line []byte) (bool, error) {
		lines = append(lines, string(line))
		return len(line) == 0 && c.Owed() == 0, nil
	})
	if diff := cmp.Diff([]string{"info", "move a", ""}, lines); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	e.soft = 1
	if err := c.Read(t.Context(), func() (bool, error) { return true, nil }, nil); err != nil {
		t.Errorf("a soft limit that ends the wait: %v", err)
	}
	e.soft = 3
	if err := c.Read(t.Context(), nil, nil); !IsTimeout(err) {
		t.Errorf("soft limits that do not matter: %v", err)
	}
	broken := errors.New("broken")
	e.queue = []string{"x"}
	if err := c.Read(t.Context(), nil, func([]byte) (bool, error) { return false, broken }); !errors.Is(err, broken) {
		t.Errorf("err = %v, want what take returned", err)
	}
}

// still is an engine that answers everything at once and does not allocate.
type still struct{ asked int }

func (s *still) Send([]byte) error                    { s.asked++; return nil }
func (s *still) Recv(context.Context) ([]byte, error) { s.asked--; return readyLine, nil }
func (s *still) Pending() ([]byte, bool)              { return nil, false }
func (s *still) Warn(string)                          {}
func (s *still) Passed([]byte)                        {}

var readyLine = []byte("readyok")

func TestClientDoesNotAllocate(t *testing.T) {
	c := NewClient(&still{}, ready)
	ctx := t.Context()
	lines := 0
	if n := testing.AllocsPerRun(100, func() {
		_ = c.Fence(ctx, func([]byte) bool { lines++; return true })
		_ = c.Say("go", "depth", "3")
		_ = c.Read(ctx, nil, func([]byte) (bool, error) { lines++; return true, nil })
	}); n != 0 {
		t.Errorf("%v allocations a question", n)
	}
}

func TestQuote(t *testing.T) {
	long := bytes.Repeat([]byte("x"), 500)
	if got := Quote([]byte(" a\x1b[2J\r")); got != `"a\x1b[2J"` {
		t.Errorf("got %s", got)
	}
	if got := Quote(long); len(got) > 340 || !bytes.HasSuffix([]byte(got), []byte("(500 bytes)")) {
		t.Errorf("got %s", got)
	}
	if got := Clip(string(long)); len(got) != clipBytes {
		t.Errorf("%d bytes are left", len(got))
	}
	if got := Clip("short"); got != "short" {
		t.Errorf("got %s", got)
	}
}
