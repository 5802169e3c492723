package player

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

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

// TestLongGodsBeatDepthOne: with gods of several tiers (of results/gods.md: 2,
// 3, 4, 10, 12, 15, 29, 38, 47 and 49 of 53) the player beats its own depth-1 setting,
// the same god on both sides. The first side's workers are placed by lot, all
// else is theirs, the other placement included; each lot is played in both
// seats. The long form plays 100 games each, of which at least 90 must be won;
// fixed seeds and nodes make them the same games on any machine.
func TestLongGodsBeatDepthOne(t *testing.T) {
	names := []string{"apollo", "poseidon", "prometheus", "athena", "demeter", "minotaur", "morpheus", "hermes", "hydra", "chronus"}
	pairs, full := 1, Limits{Nodes: 2000}
	if gametest.Long(t) {
		pairs, full = 50, Limits{Nodes: 30_000}
	}
	strong, weak := New(), New()
	for _, p := range []*Player{strong, weak} {
		if err := p.Set("hash", "8"); err != nil {
			t.Fatal(err)
		}
	}
	total, games := 0, 0
	for _, name := range names {
		god, ok := rules.ParseGod(name)
		if !ok {
			t.Fatalf("no god %s", name)
		}
		r := rand.New(rand.NewPCG(10, uint64(god)))
		begin, won, seen := time.Now(), 0, map[rules.State]bool{}
		for range pairs {
			p := halfPlaced(r, seen, god)
			won += 1 - playOut(t, p, [2]*Player{strong, weak}, [2]Limits{full, {Depth: 1}})
			won += playOut(t, p, [2]*Player{weak, strong}, [2]Limits{{Depth: 1}, full})
		}
		total, games = total+won, games+2*pairs
		t.Logf("%s: %d of %d games won in %v", name, won, 2*pairs, time.Since(begin).Round(time.Millisecond))
		if gametest.Long(t) && won*10 < 2*pairs*9 {
			t.Errorf("%s: only %d of %d games won", name, won, 2*pairs)
		}
	}
	if total*4 < games*3 {
		t.Errorf("%d of %d games won", total, games)
	}
}

// halfPlaced has the first side's workers of god against itself placed at
// random, one of them at least off the edge, and differently from those before.
func halfPlaced(r *rand.Rand, seen map[rules.State]bool, god rules.God) rules.State {
	p := rules.Start(rules.Matchup{god, god}, true)
	l := rules.NewMoveList()
	l.Generate(&p)
	for {
		next := l.Child(&p, l.Moves[r.IntN(len(l.Moves))])
		if (next.Workers[0]|next.Workers[1])&^edge != 0 && !seen[next] {
			seen[next] = true
			return next
		}
	}
}

// TestPlacementIsSearched checks for every god that the player places its workers
// legally, and not all on the edge.
func TestPlacementIsSearched(t *testing.T) {
	special := []string{"bia", "eros", "selene", "hippolyta"} // place in ways of their own
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
