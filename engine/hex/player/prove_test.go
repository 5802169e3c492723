package player

import (
	"math/rand/v2"
	"testing"

	"thera/engine/hex/internal/slow"
	"thera/engine/hex/player/net"
	"thera/engine/hex/rules"
)

// What a search proves is so in all games from there, and its move wins if one does.
func TestProvenIsWon(t *testing.T) {
	const size = 4
	random := rand.New(rand.NewPCG(3, 1))
	tree := newTree(size, 1, net.Embedded(), nil)
	proven := 0
	for range 100 {
		board := make([]rules.Colour, size*size)
		stones := 4 + random.IntN(6)
		for i, cell := range random.Perm(len(board))[:stones] {
			board[cell] = rules.Black + rules.Colour(i&1)
		}
		turn := rules.Black + rules.Colour(stones&1)
		if slow.Winner(board, size) != rules.None {
			continue
		}
		games := slow.NewGames(board, size)
		wins := games.Wins(turn, turn)
		c := tree.search(t.Context(), board, turn, budget{playouts: 300})
		if c.proven {
			proven++
			if wins != (c.Value == 1) {
				t.Fatalf("board %v, %v to move: wins %v; %+v", board, turn, wins, c)
			}
		}
		board[c.Cell] = turn
		if wins && !games.Wins(turn, turn.Other()) {
			t.Fatalf("board %v: %v wins, but not by that; %+v", board, turn, c)
		}
	}
	if proven < 75 {
		t.Errorf("%d positions proven", proven)
	}
}

// On a usual board the first connections are found without a playout: a stone on the third row is joined to its edge,
// and two bridges to each other.
func TestConnectionIsPlayedAtOnce(t *testing.T) {
	p, err := rules.Settings{Size: 11}.Parse("11 c5 a1 e4 a2 g3 a3 i2 a11")
	if err != nil {
		t.Fatal(err)
	}
	tree := newTree(11, 1, net.Embedded(), nil)
	search := func(turn rules.Colour) Choice { return tree.search(t.Context(), p.Cells(), turn, budget{playouts: 1}) }
	if c := search(p.Turn()); !c.proven || c.Value != 1 || c.playouts != 0 {
		t.Errorf("%+v", c)
	}
	if c := search(p.Turn().Other()); c.proven || c.playouts != 1 {
		t.Errorf("a lost position: %+v", c)
	}
}
