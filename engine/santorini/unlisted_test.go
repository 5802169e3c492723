package santorini

import (
	"slices"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
)

// unlistedRow is a row of rules/testdata.
type unlistedRow struct {
	Fen      string   `json:"fen"`
	Class    string   `json:"class"`
	Next     []string `json:"next"`
	Accepted []string `json:"accepted"`
}

// TestUnlistedIsPlayedWithAWarning plays what only the printed rules allow.
func TestUnlistedIsPlayedWithAWarning(t *testing.T) {
	g := New()
	for _, row := range gametest.Vectors[unlistedRow](t, "rules/testdata/accepted_v2.jsonl.gz") {
		pos, err := g.Parse(row.Fen)
		if err != nil {
			t.Fatal(err)
		}
		seat := pos.ToMove().Only()
		moves := pos.Moves(seat)
		for _, text := range row.Accepted {
			next, err := pos.Play(game.By(seat, text))
			if err != nil {
				t.Errorf("%s: %v", row.Class, err)
				continue
			}
			if got, want := g.Warning(next), "not listed by engines of today: "+row.Class; got != want {
				t.Errorf("%s: %s: warning %q, want %q", row.Fen, text, got, want)
			}
			if next.String() != text || slices.Contains(moves, text) {
				t.Errorf("%s: %s becomes %s, or is listed", row.Fen, text, next)
			}
		}
	}
}
