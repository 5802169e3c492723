package santorini

import (
	"encoding/json"
	"slices"
	"testing"

	"thera/engine/gametest"
	"thera/engine/santorini/internal/santorinitest"
	"thera/engine/santorini/wire"
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
	}](t, "rules/testdata/next_states_v1.jsonl.gz")
	for _, row := range all {
		c.send("next_moves " + row.Fen)
		m := c.message()
		if row.Terminal {
			if m.Type != wire.KindError {
				t.Errorf("%s is over, answered by %s", row.Fen, m.Type)
			}
			continue
		}
		from := santorinitest.MustParse(t, row.Fen)
		var got []string
		for _, s := range m.States {
			got = append(got, s.Next)
			chain, err := json.Marshal(s.Actions)
			if err != nil {
				t.Fatal(err)
			}
			q := santorinitest.MustParse(t, s.Next)
			if fault := wire.ChainFault(&from, &q, chain, new(wire.ChainBuffer)); fault != "" {
				t.Errorf("%s to %s by %s: %s", row.Fen, s.Next, chain, fault)
			}
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
