package slow

import "thera/engine/hex/rules"

// Games are all games from a board, which may be changed between questions.
type Games struct {
	board []rules.Colour
	size  int
	known map[uint64]bool // by board, and by who asks and moves
}

// NewGames are those from a board of at most 6 x 6.
func NewGames(board []rules.Colour, size int) *Games {
	return &Games{board: board, size: size, known: map[uint64]bool{}}
}

// Wins reports whether c wins if turn moves.
func (g *Games) Wins(c, turn rules.Colour) bool {
	if w := Winner(g.board, g.size); w != rules.None {
		return w == c
	}
	key := 3*uint64(c) + uint64(turn)
	for _, holds := range g.board {
		key = 3*key + uint64(holds)
	}
	if won, ok := g.known[key]; ok {
		return won
	}
	won := turn != c
	for cell, holds := range g.board {
		if holds != rules.None {
			continue
		}
		g.board[cell] = turn
		got := g.Wins(c, turn.Other())
		g.board[cell] = rules.None
		if got == (turn == c) {
			won = got
			break
		}
	}
	g.known[key] = won
	return won
}
