//go:build unix

package check

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest/nim"
)

// Points that fail for one cause are one failure; the others name its number.
func TestOneCauseIsOneFinding(t *testing.T) {
	for fault, first := range map[string]string{
		"exit0": "a legal move",                 // at each first question of a process
		"noeof": "ends at the end of its input", // and while it thinks
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			opts := options(fault)
			if fault == "noeof" {
				opts.Exit = 300 * time.Millisecond
			}
			r, err := Run(context.Background(), opts)
			if err != nil {
				t.Fatal(err)
			}
			number, same := 0, 0
			for _, f := range r.Findings {
				if fault == "noeof" && !strings.HasPrefix(f.Name, first) {
					continue // a busy machine may not end the engine in that time
				}
				switch f.Status {
				case Failed:
					if number != 0 || f.Name != first {
						t.Errorf("failed: %+v", f)
					}
					number = f.Number
				case Same:
					if same++; f.As != number || f.Detail == "" {
						t.Errorf("the same as %d: %+v", number, f)
					}
				}
			}
			if number == 0 || same == 0 {
				t.Errorf("point %d failed, %d for the same cause", number, same)
			}
		})
	}
}

func TestCauses(t *testing.T) {
	timeout := func(detail string) error { return &game.Fault{Kind: game.FaultTimeout, Detail: detail} }
	for _, tt := range []struct {
		a, b error
		same bool
	}{
		{timeout("used 2.1s of 100ms, CPU 3ms"), timeout("used 2.3s of 200ms, CPU 1.9s"), true},
		{timeout("not ready (used 2s of 2s, CPU 0s)"), timeout("used 2.1s of 100ms, CPU 3ms"), false},
		{&game.Fault{Kind: game.FaultExited, Detail: "3"}, failf("after 2 useless lines: %w", &game.Fault{Kind: game.FaultExited, Detail: "3"}), true},
		{&game.Illegal{Rule: "d6 is not empty"}, failf("ply 9: %w", &game.Illegal{Rule: "a1 is not empty"}), true},
		{&game.Illegal{Rule: "d6 is not empty"}, &game.Illegal{Rule: "men in hand must be placed first"}, false},
		{deaf("asked for 50 ms, answered after 1 s"), deaf("the answer came 1 s after the limit"), true},
		{failf("30 bytes a move on stderr"), failf("it still runs 1s later"), false},
	} {
		if same := causeOf("x", tt.a) == causeOf("x", tt.b); same != tt.same {
			t.Errorf("%v and %v: the same cause %v, want %v", tt.a, tt.b, same, tt.same)
		}
	}
	if causeOf("quit", failf("it still runs")) == causeOf("end of input", failf("it still runs")) {
		t.Error("two topics have one cause")
	}
}

// generous accepts one move that it does not list.
type generous struct {
	game.Position
	extra string
}

func (g generous) Play(turn game.Turn) (game.Position, error) {
	if turn.String() == g.extra {
		return warned{g}, nil
	}
	return g.Position.Play(turn)
}

type warned struct{ game.Position }

func (warned) Warning() string { return "not listed: second-build" }

// What an engine lists is told apart: moves that the referee refuses, legal ones that
// it lacks, and those that are accepted without being listed.
func TestKindsOfDifferences(t *testing.T) {
	start, err := nim.New(21).Start(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	pos := generous{start, "accepted"}
	for _, tt := range []struct {
		list     string
		tolerant bool
		status   Status
		text     string
	}{
		{"1 2 3", false, OK, "1 positions"},
		{"1 2 3 9", true, Failed, "in its list, but not legal (1): 9"},
		{"1 2", false, Failed, "legal, but not in its list (1): 3"},
		{"1 2", true, Differs, "legal, but not in its list (1): 3"},
		{"1 2 3 accepted", false, Differs, "accepted by the printed rules (1): accepted"},
		{"1 2 3 accepted", true, Differs, "do not list (second-build 1)"},
		{"1 3 accepted", true, Differs, "legal, but not in its list (1): 2"},
		{"1 3 9 accepted", true, Failed, "in its list, but not legal (1): 9"},
	} {
		all := differences{asked: 1}
		all.add(compare(pos, strings.Fields(tt.list)))
		text, err := all.verdict(tt.tolerant, 1)
		status := OK
		var said finding
		var other differs
		switch {
		case errors.As(err, &said):
			status, text = Failed, said.Error()
		case errors.As(err, &other):
			status, text = Differs, string(other)
		}
		if status != tt.status || !strings.Contains(text, tt.text) {
			t.Errorf("%q, tolerant %v: %s %q, want %s %q", tt.list, tt.tolerant, status, text, tt.status, tt.text)
		}
	}
}
