package rules_test

import (
	"slices"
	"testing"

	"thera/engine/game"
	"thera/engine/mill/rules"
)

// FuzzFEN checks that a position prints as a text that reads back the same, can be
// drawn, and plays every move that it lists.
func FuzzFEN(f *testing.F) {
	f.Add(rules.StartFEN)
	f.Add("*OOO*@**/**O*****/@@@*O*** w p r 5 4 4 5 1 0 0 0 0 0 0 0 5")
	f.Add("@O@*@O@*/@*******/@O@O@O@O w o s 6 0 9 0 0 0 0 0 0 0 0 0 30")
	f.Add("*@@@*@*@/****@@**/*O***@O* b o r 2 0 8 0 0 1 0 0 0 0 0 0 41")
	f.Add("********/OO*****O/@****@*@ w m s 3 0 3 0 0 0 8 9 0 0 0 99 29")
	f.Add("OOO***@*/********/@*****@* w p r 3 6 3 6 0 1 8 9 0 0 65536 0 5")
	f.Fuzz(func(t *testing.T, text string) {
		pos, err := rules.Parse(rules.Default(), text)
		if err != nil {
			return
		}
		back, err := rules.Parse(rules.Default(), pos.String())
		if err != nil || back.String() != pos.String() {
			t.Fatalf("%q reads as %q, which reads as %v, %v", text, pos, back, err)
		}
		seat := pos.ToMove().Only()
		if outcome, over := pos.Outcome(); over != (seat == game.None) || over && outcome.Reason == "" {
			t.Fatalf("%s: over %v, %+v, to move %d", pos, over, outcome, seat)
		}
		moves := pos.Moves(seat)
		if (len(moves) == 0) != (seat == game.None) || !slices.IsSorted(moves) {
			t.Fatalf("%s: moves %v", pos, moves)
		}
		for _, m := range moves {
			next, err := pos.Play(game.By(seat, m))
			if err != nil {
				t.Fatalf("%s: listed move %s: %v", pos, m, err)
			}
			if again, err := rules.Parse(rules.Default(), next.String()); err != nil || again.String() != next.String() {
				t.Fatalf("%s after %s: %v, %v", next, m, again, err)
			}
			_ = next.(*rules.Position).Draw(game.By(seat, m), true)
		}
		if n, err := pos.Count(t.Context(), 1); err != nil || len(moves) > 0 && uint64(len(moves)) != n {
			t.Fatalf("%s: count %d, %d moves", pos, n, len(moves))
		}
	})
}
