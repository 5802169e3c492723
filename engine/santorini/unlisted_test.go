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
			if got, want := next.(game.Warner).Warning(), "not listed by engines of today: "+row.Class; got != want {
				t.Errorf("%s: %s: warning %q, want %q", row.Fen, text, got, want)
			}
			if next.String() != text || slices.Contains(moves, text) {
				t.Errorf("%s: %s becomes %s, or is listed", row.Fen, text, next)
			}
		}
	}
}

// TestListedIsPlayedWithoutAWarning plays every listed turn of the positions on which
// these rules and engines once differed.
func TestListedIsPlayedWithoutAWarning(t *testing.T) {
	g := New()
	played := 0
	for _, row := range gametest.Vectors[unlistedRow](t, "rules/testdata/next_states_v2_diff.jsonl.gz") {
		pos, err := g.Parse(row.Fen)
		if err != nil {
			t.Fatalf("%s: %v", row.Class, err)
		}
		seat := pos.ToMove().Only()
		if row.Next == nil { // only a hash
			continue
		}
		if moves := pos.Moves(seat); !slices.Equal(moves, row.Next) {
			t.Errorf("%s: %s: %d moves, want %d", row.Class, row.Fen, len(moves), len(row.Next))
		}
		for i, text := range row.Next {
			if i%7 != 0 { // each makes a list of all
				continue
			}
			played++
			next, err := pos.Play(game.By(seat, text))
			if err != nil {
				t.Errorf("%s: %v", row.Class, err)
				continue
			}
			if text := next.(game.Warner).Warning(); text != "" {
				t.Errorf("%s: %s: warning %q", row.Fen, next, text)
			}
		}
	}
	if played < 2000 {
		t.Errorf("%d turns played", played)
	}
}
