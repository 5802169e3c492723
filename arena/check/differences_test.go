//go:build unix

package check

import (
	"errors"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// generous accepts one move that it does not list.
type generous struct {
	game.Position
	extra string
}

func (g generous) Play(turn game.Turn) (game.Position, error) {
	if turn.String() == g.extra {
		return g, nil
	}
	return g.Position.Play(turn)
}

// What an engine lists is told apart: moves that the referee refuses, legal ones that
// it lacks, and those that are accepted without being listed.
func TestKindsOfDifferences(t *testing.T) {
	start, err := nim.New(21).Start(0, 1)
	gametest.OK(t, err)
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
		{"1 2 3 accepted", true, Differs, "differ by rules"},
		{"1 3 accepted", true, Differs, "legal, but not in its list (1): 2"},
		{"1 3 9 accepted", true, Failed, "in its list, but not legal (1): 9"},
	} {
		all := differences{asked: 1}
		all.add(compare(pos, strings.Fields(tt.list)), tt.tolerant)
		text, err := all.verdict(1)
		status := OK
		var said finding
		if errors.As(err, &said) {
			status, text = said.status, said.Error()
		}
		if status != tt.status || !strings.Contains(text, tt.text) {
			t.Errorf("%q, tolerant %v: %s %q, want %s %q", tt.list, tt.tolerant, status, text, tt.status, tt.text)
		}
	}
	all := differences{asked: 2}
	all.add(compare(pos, strings.Fields("1 2 3 9")), false)
	all.add(compare(pos, strings.Fields("1 2 8 9")), false)
	if _, err := all.verdict(1); !strings.Contains(err.Error(), "2 of 2 differ") || !strings.Contains(err.Error(), "not legal (1): 9") {
		t.Errorf("not the smallest of two differences: %v", err)
	}
}
