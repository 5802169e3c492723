package santorini

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"thera/engine/search"
)

// randomWalk visits the positions of random games of god, climbing where
// possible, until fn says that it has seen enough.
func randomWalk(r *rand.Rand, god God, fn func(p *state, f *frame)) {
	m := matchup{god, God(r.IntN(int(godCount)))}
	if r.IntN(2) == 1 {
		m[0], m[1] = m[1], m[0]
	}
	if banned(m) != nil {
		return
	}
	p, _ := startOf(m, true)
	f := newFrame()
	for p.winner == 0 {
		f.generate(&p)
		if len(f.moves) == 0 {
			return
		}
		fn(&p, f)
		m := f.moves[r.IntN(len(f.moves))]
		for range 5 {
			if other := f.moves[r.IntN(len(f.moves))]; other.climbs() && !other.wins() {
				m = other
			}
		}
		p = f.child(&p, m)
	}
}

// TestLeftOutTurnsLose: whatever Generate leaves out lets the opponent win at
// once, with every god.
func TestLeftOutTurnsLose(t *testing.T) {
	games := 3
	if long() {
		games = 100
	}
	r := rand.New(rand.NewPCG(8, 8))
	w, reply := newWalker(), newFrame()
	left := 0
	for g := range godCount {
		for range games {
			randomWalk(r, g, func(p *state, f *frame) {
				if p.placing() {
					return
				}
				w.set(p)
				if _, known := w.Known(); known {
					return
				}
				var list search.List[move]
				w.Generate(0, &list)
				listed := map[uint32]bool{}
				for _, item := range list.Items {
					listed[item.Tag] = true
				}
				if len(listed) == 0 {
					t.Fatalf("%s: nothing listed of %d turns", p.text(formV2), len(f.moves))
				}
				for _, m := range f.moves {
					if listed[m.id()] || len(f.moves) > 2000 {
						continue
					}
					left++
					child := f.child(p, m)
					if reply.winning(&child); len(reply.moves) == 0 {
						t.Fatalf("%s: %s is left out", p.text(formV2), child.text(formV2))
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

// TestLongGodsBeatDepthOne: with gods of several tiers the player beats its
// own depth-1 setting, from an empty board, the same god on both sides. The
// long form plays 100 games each.
func TestLongGodsBeatDepthOne(t *testing.T) {
	names := []string{"apollo", "athena", "demeter", "minotaur", "prometheus", "chronus", "hydra", "morpheus", "hermes", "poseidon"}
	pairs, full := 1, thinkLimits{Nodes: 2000}
	if long() {
		pairs, full = 50, thinkLimits{Time: 50 * time.Millisecond}
	} else {
		names = names[:6]
	}
	strong, weak := newPlayer(), newPlayer()
	for _, p := range []*player{strong, weak} {
		if err := p.set("hash", "8"); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(10, 90))
	total, games := 0, 0
	for _, name := range names {
		god, ok := godNamed(name)
		if !ok {
			t.Fatalf("no god %s", name)
		}
		begin, won := time.Now(), 0
		for range pairs {
			p, _ := startOf(matchup{god, god}, true)
			f := newFrame()
			for p.placing() { // at random, but off the edge, where no side is lost already
				f.generate(&p)
				if next := f.child(&p, f.moves[r.IntN(len(f.moves))]); (next.workers[0]|next.workers[1])&perimeter == 0 {
					p = next
				}
			}
			won += 1 - playOut(p, [2]*player{strong, weak}, [2]thinkLimits{full, {Depth: 1}})
			won += playOut(p, [2]*player{weak, strong}, [2]thinkLimits{{Depth: 1}, full})
		}
		total, games = total+won, games+2*pairs
		t.Logf("%s: %d of %d games won in %v", name, won, 2*pairs, time.Since(begin).Round(time.Millisecond))
		if long() && won*10 < 2*pairs*9 {
			t.Errorf("%s: only %d of %d games won", name, won, 2*pairs)
		}
	}
	if total*4 < games*3 {
		t.Errorf("%d of %d games won", total, games)
	}
}

// TestPlacementIsSearched: with every god the player places its workers by
// search, in a legal way, and better than on the edge.
func TestPlacementIsSearched(t *testing.T) {
	ctx := context.Background()
	p := newPlayer()
	if err := p.set("hash", "1"); err != nil {
		t.Fatal(err)
	}
	f := newFrame()
	for g := range godCount {
		at, _ := startOf(matchup{g, mortal}, true)
		if banned(matchup{g, mortal}) != nil {
			t.Fatalf("%s does not meet mortal", g)
		}
		for at.placing() {
			got := p.search(ctx, &at, thinkLimits{Nodes: 600}, nil)
			if _, ok := f.find(&at, &got.next); !ok || !got.found {
				t.Fatalf("%s: places on %s", at.text(formV2), got.next.text(formV2))
			}
			inner := size(got.next.workers[at.mover&1] &^ perimeter)
			free := !gods[at.god[at.mover&1]].placesFirst && gods[at.god[at.mover&1]].starts == nil
			if free && inner == 0 {
				t.Errorf("%s: all workers on the edge: %s", at.text(formV2), got.next.text(formV2))
			}
			at = got.next
		}
	}
}
