package connect

import (
	"math/rand/v2"
	"slices"
	"testing"

	"thera/engine/hex/internal/slow"
	"thera/engine/hex/rules"
)

// All that is found on small boards is so in all games from there, also if little work is allowed.
func TestFoundIsWon(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var outside, firsts, foundFirsts, seconds, foundSeconds int
	for range 150 {
		size := 3 + random.IntN(3)
		board := make([]rules.Colour, size*size)
		stones := max(random.IntN(len(board)), len(board)-9)
		for i, cell := range random.Perm(len(board))[:stones] {
			board[cell] = rules.Black + rules.Colour(i&1)
		}
		if slow.Winner(board, size) != rules.None {
			continue
		}
		games, finder := slow.NewGames(board, size), New(size)
		for _, c := range []rules.Colour{rules.Black, rules.White} {
			first, second := games.Wins(c, c), games.Wins(c, c.Other())
			check(t, finder, games, board, c, finder.Find(board, c, true, 200))
			r := finder.Find(board, c, false, 100_000)
			outside += check(t, finder, games, board, c, r)
			if first {
				firsts++
			}
			if r.First || r.Second {
				foundFirsts++
			}
			if second {
				seconds++
			}
			if r.Second {
				foundSeconds++
			}
		}
	}
	t.Logf("%d of %d and %d of %d found, %d losing moves", foundFirsts, firsts, foundSeconds, seconds, outside)
	if outside < 500 || foundFirsts < firsts*9/10 || foundSeconds < seconds*9/10 || seconds < 50 {
		t.Error("too little was found")
	}
}

// check compares what was found for c with all games, and returns the number of moves that are said to lose.
func check(t *testing.T, f *Finder, games *slow.Games, board []rules.Colour, c rules.Colour, r Result) (outside int) {
	t.Helper()
	if r.Second && !games.Wins(c, c.Other()) || r.First && !games.Wins(c, c) {
		t.Fatalf("board %v: %v does not join its edges; found %+v", board, c, r)
	}
	filled, turn := slices.Clone(board), c
	if r.Second {
		turn = c.Other()
	} else if r.First {
		filled[r.Key], turn = c, c.Other()
	}
	for cell, holds := range board {
		if holds != rules.None {
			continue
		}
		if !r.Win.Has(cell) {
			filled[cell] = c.Other() // the cells needed are enough: the other side may have all others
		}
		if !r.Must.Has(cell) {
			outside++
			board[cell] = c.Other()
			if !games.Wins(c, c) {
				t.Fatalf("board %v: %v does not lose by that move; found %+v", board, c.Other(), r)
			}
			board[cell] = rules.None
		}
	}
	if (r.First || r.Second) && !slow.NewGames(filled, f.size).Wins(c, turn) {
		t.Fatalf("board %v: %v needs more; found %+v", board, c, r)
	}
	return outside
}
