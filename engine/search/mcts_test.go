package search

import (
	"context"
	"testing"

	"thera/engine/gametest"
)

// MCTS proves what minimax proves, and plays the wins that it finds.
func TestTreeSearchProves(t *testing.T) {
	gametest.Sequential(t)
	ctx := context.Background()
	proven := map[int]int{}
	for seed := range uint32(200) {
		again := seed%2 == 1
		set := setToy(seed, again, false)
		e := engineOf("plain", seed, again)
		e.Options.Driver = MCTS
		got := e.Search(ctx, set, Limits{Nodes: 4000}, nil)
		sign, plies := Proven(got.Score)
		if !got.Found || got.Nodes > 4000 || got.Done != (sign != 0) {
			t.Fatalf("seed %d: %+v", seed, got)
		}
		proven[sign]++
		if sign == 0 || plies > 6 {
			continue
		}
		b := newToy(seed, again)
		// A move that keeps the turn costs no depth, so this many plies are enough.
		if want, _ := minimax(b, min(plies+1, 5), 0); plies < 5 && (want > Heuristic) != (sign > 0) {
			t.Errorf("seed %d: the tree says %d in %d, minimax %d", seed, sign, plies, want)
		}
	}
	if proven[1] < 20 || proven[0] == 200 {
		t.Errorf("proven: %v", proven)
	}
}

// MCTS beats random moves.
func TestTreeSearchBeatsRandom(t *testing.T) {
	gametest.Sequential(t)
	ctx := context.Background()
	won := 0
	for seed := range uint32(60) {
		tree, drawn := engineOf("plain", seed, false), engineOf("plain", seed, false)
		tree.Options.Driver, drawn.Options.Driver = MCTS, Random
		drawn.Options.Seed = uint64(seed)
		b := newToy(seed, false)
		for ply := 0; ; ply++ {
			treeToMove := (ply+int(seed))%2 == 0
			if score, over := b.Known(); over {
				if score != 0 && (score > 0) == treeToMove {
					won++
				}
				break
			}
			e := drawn
			if treeToMove {
				e = tree
			}
			at := b.stack[b.at]
			got := e.Search(ctx, func(b Board[int8]) { b.(*toy).at, b.(*toy).stack[0] = 0, at }, Limits{Nodes: 500}, nil)
			if !got.Found {
				if !treeToMove {
					won++
				}
				break
			}
			b.Make(got.Move)
		}
	}
	if won < 45 {
		t.Errorf("the tree won %d of 60 games", won)
	}
}
