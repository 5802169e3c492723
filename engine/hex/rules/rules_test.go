package rules_test

import (
	"math/rand/v2"
	"testing"

	"thera/engine/hex/internal/slow"
	"thera/engine/hex/rules"
)

// The winner agrees with flood fill at every ply of random games of all sizes.
func TestWinnerAgreesWithFloodFill(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for size := 1; size <= 26; size++ {
		s, cells, turn := rules.NewStones(size), make([]rules.Colour, size*size), rules.Black
		won := rules.None
		for _, cell := range rng.Perm(size * size) {
			cells[cell] = turn
			if wins := s.Put(cell, turn); wins {
				won = turn
			}
			if size < 12 || won != rules.None {
				if got := slow.Winner(cells, size); got != won {
					t.Fatalf("size %d: %v, by flood fill %v", size, won, got)
				}
			}
			if won != rules.None {
				break
			}
			turn = turn.Other()
		}
		if won == rules.None {
			t.Errorf("size %d: a full board without a winner", size)
		}
	}
}
