package protocol

import (
	"slices"
	"testing"

	"thera/engine/gametest"
)

func TestProtocol(t *testing.T) { gametest.Protocol(t, ".", 40) }

// TestNextMovesVectors holds the built-in engine to the recorded lists of v1,
// through its protocol.
func TestNextMovesVectors(t *testing.T) {
	gametest.Sequential(t)
	c := newConsole(t)
	all := gametest.Vectors[struct {
		Fen      string
		Terminal bool
		Next     []string
	}](t, "../rules/testdata/next_states_v1.jsonl.gz")
	for _, row := range all {
		c.send("next_moves " + row.Fen)
		m := c.message()
		if row.Terminal {
			if m.Type != KindError {
				t.Errorf("%s is over, answered by %s", row.Fen, m.Type)
			}
			continue
		}
		var got []string
		for _, s := range m.States {
			got = append(got, s.Next)
		}
		slices.Sort(got)
		if !slices.Equal(got, row.Next) {
			t.Errorf("%s: %d states, recorded are %d", row.Fen, len(got), len(row.Next))
		}
	}
	if rows := len(all); rows != 487 {
		t.Errorf("%d positions, want 487", rows)
	}
}
