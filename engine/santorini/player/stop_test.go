package player

import (
	"maps"
	"math/rand/v2"
	"testing"

	"thera/engine/santorini/internal/santorinitest"
	"thera/engine/santorini/rules"
	"thera/engine/search"
)

// wideBoard has some 15,000 turns: polyphemus may put two domes anywhere.
const wideBoard = "0000000000000000000000000/1/polyphemus:B3,D3/polyphemus:C4,C2"

// TestGenerationHearsStop checks that generating thousands of turns polls for a stop
// and then ends.
func TestGenerationHearsStop(t *testing.T) {
	pos := santorinitest.MustParse(t, wideBoard)
	l := rules.NewMoveList()
	if l.Generate(&pos); len(l.Moves) < 10_000 {
		t.Fatalf("only %d turns", len(l.Moves))
	}
	b := newBoard()
	b.set(&pos)
	for _, stopAt := range []int{1, 3, 1 << 30} {
		polls, work := 0, 0
		b.SetInterrupt(func(n int) bool {
			polls, work = polls+1, work+n
			return polls == stopAt
		})
		var list search.List[rules.Move]
		b.Generate(0, &list)
		children := len(b.lists[0].Children)
		switch {
		case stopAt <= 3 && (polls != stopAt || children != stopAt*pollInterval || work != children):
			t.Errorf("stopped at poll %d: %d polls, work %d, %d children", stopAt, polls, work, children)
		case stopAt > 3 && (children != len(l.Children) || polls != children/pollInterval):
			t.Errorf("never stopped: %d polls, %d children of %d", polls, children, len(l.Children))
		}
	}
}

// TestStagesListAll checks that if stage 0 stops early, both stages together list
// what a single stage lists.
func TestStagesListAll(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 3))
	whole, staged := newBoard(), newBoard()
	broken := 0
	states := func(b *board, items []search.Item[rules.Move], into map[rules.State]int) {
		for _, item := range items {
			into[b.lists[0].Child(b.now(), item.Move)]++
		}
	}
	for g := range rules.GodCount {
		santorinitest.RandomWalk(r, g, func(p *rules.State, _ *rules.MoveList) {
			if p.Placing() || r.IntN(4) != 0 {
				return
			}
			var all, first, rest search.List[rules.Move]
			whole.set(p)
			whole.Generate(0, &all)
			want, got := map[rules.State]int{}, map[rules.State]int{}
			states(whole, all.Items, want)
			staged.set(p)
			staged.HintBound(-50, 1+r.IntN(boundDepth))
			more := staged.Generate(0, &first)
			states(staged, first.Items, got)
			if more {
				broken++
				staged.HintBound(search.Infinity, 1) // as nodes below will have done
				staged.Generate(1, &rest)
				states(staged, rest.Items, got)
			}
			if !maps.Equal(got, want) {
				t.Fatalf("%s: %d turns in stages, %d at once", rules.Text(p, rules.V2), len(got), len(want))
			}
		})
	}
	t.Logf("broke off %d times", broken)
	if broken < 100 {
		t.Errorf("stage 0 broke off %d times only", broken)
	}
}
