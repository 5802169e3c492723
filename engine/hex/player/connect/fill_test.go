package connect

import (
	"math/rand/v2"
	"slices"
	"testing"

	"thera/engine/hex/internal/slow"
	"thera/engine/hex/rules"
)

// Who wins does not change by what is filled in, whoever moves.
func TestFillingChangesNoResult(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 1))
	dead, captured := 0, 0
	for range 400 {
		size := 3 + random.IntN(3)
		board := make([]rules.Colour, size*size)
		for i, cell := range random.Perm(len(board))[:len(board)-2-random.IntN(7)] {
			board[cell] = rules.Black + rules.Colour(i&1)
		}
		if slow.Winner(board, size) != rules.None {
			continue
		}
		games := slow.NewGames(board, size)
		for _, c := range []rules.Colour{rules.Black, rules.White} {
			filled := slices.Clone(board)
			set := newFiller(size).fill(filled, size, c)
			captured += set.Count()
			for cell := range board {
				if board[cell] != filled[cell] && !set.Has(cell) {
					dead++
				}
			}
			if winner := slow.Winner(filled, size); winner != rules.None {
				for _, turn := range []rules.Colour{rules.Black, rules.White} {
					if !games.Wins(winner, turn) {
						t.Fatalf("board %v: filled for %v %v, %v does not win with %v to move", board, c, filled, winner, turn)
					}
				}
				continue
			}
			after := slow.NewGames(filled, size)
			for _, turn := range []rules.Colour{rules.Black, rules.White} {
				if games.Wins(c, turn) != after.Wins(c, turn) {
					t.Fatalf("board %v, %v to move: filled for %v %v", board, turn, c, filled)
				}
			}
		}
	}
	if dead < 100 || captured < 100 {
		t.Errorf("%d dead cells, %d captured", dead, captured)
	}
}
