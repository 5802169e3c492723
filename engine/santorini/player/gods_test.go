package player

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"thera/engine/gametest"
	"thera/engine/santorini/internal/santorinitest"
	"thera/engine/santorini/rules"
	"thera/engine/search"
)

const edge = 0b11111_10001_10001_10001_11111

// TestLeftOutTurnsLose checks for every god that the opponent wins at once after any
// turn that Generate leaves out. Of heracles' turns it looks at few.
func TestLeftOutTurnsLose(t *testing.T) {
	games := 3
	if gametest.Long(t) {
		games = 100
	}
	r := rand.New(rand.NewPCG(8, 8))
	b, reply := newBoard(), rules.NewMoveList()
	left := 0
	for g := range rules.GodCount {
		for range games {
			santorinitest.RandomWalk(r, g, func(p *rules.State, l *rules.MoveList) {
				if p.Placing() || p.Gods[p.Mover&1].String() == "heracles" {
					return
				}
				b.set(p)
				if _, known := b.Known(); known {
					return
				}
				var list search.List[rules.Move]
				b.Generate(0, &list)
				listed := map[uint32]bool{}
				for _, item := range list.Items {
					listed[item.Tag] = true
				}
				if len(listed) == 0 {
					t.Fatalf("%s: nothing listed of %d turns", rules.Text(p, rules.V2), len(l.Moves))
				}
				for _, m := range l.Moves {
					if listed[m.ID()] || len(l.Moves) > 2000 {
						continue
					}
					left++
					child := l.Child(p, m)
					if reply.GenerateWins(&child); len(reply.Moves) == 0 {
						t.Fatalf("%s: %s is left out", rules.Text(p, rules.V2), rules.Text(&child, rules.V2))
					}
				}
			})
		}
	}
	t.Logf("%d turns left out", left)
	if left < 1000 {
		t.Errorf("only %d turns were left out", left)
	}
}

// TestPlacementIsSearched checks for every god that the player places its workers
// legally, and not all on the edge.
func TestPlacementIsSearched(t *testing.T) {
	special := []string{"bia", "eros", "selene", "hippolyta"} // place in other ways
	ctx := context.Background()
	p := New()
	if err := p.Set("hash", "1"); err != nil {
		t.Fatal(err)
	}
	l := rules.NewMoveList()
	for g := range rules.GodCount {
		at := rules.Start(rules.Matchup{g, rules.Mortal}, true)
		if rules.Banned(rules.Matchup{g, rules.Mortal}) != nil {
			t.Fatalf("%s does not meet mortal", g)
		}
		for at.Placing() {
			got := p.Search(ctx, &at, Limits{Nodes: 600}, nil)
			if _, ok := l.Find(&at, &got.Next); !ok || !got.Found {
				t.Fatalf("%s: places on %s", rules.Text(&at, rules.V2), rules.Text(&got.Next, rules.V2))
			}
			inner := bits.OnesCount32(got.Next.Workers[at.Mover&1] &^ edge)
			if inner == 0 && !slices.Contains(special, at.Gods[at.Mover&1].String()) {
				t.Errorf("%s: all workers on the edge: %s", rules.Text(&at, rules.V2), rules.Text(&got.Next, rules.V2))
			}
			at = got.Next
		}
	}
}
