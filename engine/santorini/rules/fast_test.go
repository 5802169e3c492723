package rules_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"thera/engine/gametest"
	"thera/engine/santorini/internal/santorinitest"
	"thera/engine/santorini/rules"
)

// TestFastPaths compares every god's fast path with the full rules: it lists the same turns,
// counts them, and knows which turns of other positions are legal. A turn that it says cannot
// stop a threat does not.
func TestFastPaths(t *testing.T) {
	games := 6
	if gametest.Long(t) {
		games = 300
	}
	r := rand.New(rand.NewPCG(61, 7))
	list, full, before := rules.NewMoveList(), rules.NewMoveList(), []rules.Move(nil)
	gods, foreign, harmless := map[rules.God]bool{}, 0, 0
	for g := range rules.GodCount {
		for range games {
			santorinitest.RandomWalk(r, g, func(p *rules.State, _ *rules.MoveList) {
				fast := rules.FastPath(p)
				if fast == nil || p.Placing() || p.Winner != 0 {
					return
				}
				gods[p.Gods[p.Mover&1]] = true
				text := rules.Text(p, rules.V2)
				list.Generate(p)
				full.Visit(p, nil)
				var got, want []string
				for _, m := range list.Moves {
					q := list.Child(p, m)
					got = append(got, rules.Text(&q, rules.V2))
					if !m.Wins() && !fast.Legal(p, m) {
						t.Fatalf("%s: the turn to %s is not legal", text, rules.Text(&q, rules.V2))
					}
				}
				for _, q := range full.Children {
					want = append(want, rules.Text(&q, rules.V2))
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) || fast.Count(p) != len(want) {
					t.Fatalf("%s: %d turns %v, counted %d, the full rules have %d %v", text, len(got), got, fast.Count(p), len(want), want)
				}
				for _, m := range before {
					if legal := fast.Legal(p, m); legal != slices.Contains(list.Moves, m) && !m.Wins() {
						t.Fatalf("%s: turn %x of another position: legal %v", text, m, legal)
					}
					foreign++
				}
				before = append(before[:0], list.Moves...)
				me := p.Mover & 1
				if !rules.WinsKnown(p, me^1) || rules.WinningSquares(p, me^1) == 0 {
					return
				}
				stops := rules.StoppingSquares(p, me^1)
				for _, m := range list.Moves {
					if q := list.Child(p, m); !m.Wins() && m.Touches()&stops == 0 {
						if harmless++; rules.WinningSquares(&q, me^1) == 0 {
							t.Fatalf("%s: %s stops the threat", text, rules.Text(&q, rules.V2))
						}
					}
				}
			})
		}
	}
	t.Logf("%d gods, %d turns of other positions, %d that stop nothing", len(gods), foreign, harmless)
	if len(gods) < 12 || foreign < 10_000 || harmless < 500 {
		t.Errorf("only %d gods, %d turns of other positions, %d that stop nothing", len(gods), foreign, harmless)
	}
}
