package pyrat

import (
	"slices"

	"thera/engine/game"
)

// board is what all positions of a game share.
type board struct {
	*maze
	order    []int16 // all cheese of the start, in the order in which it is printed
	total    int32   // all cheese, eaten or not, in half points
	maxTurns int32
	rules    Rules
}

// position is one state of a game.
type position struct {
	state
	board  *board
	cheese cheeses // shared with the predecessor until some is taken
}

var (
	_ game.Position  = (*position)(nil)
	_ game.Forgiving = (*position)(nil)
	_ game.Drawer    = (*position)(nil)
	_ game.Counter   = (*position)(nil)
)

var allMoves = []string{"D", "L", "R", "S", "U"}

// ToMove is both seats until the game is over: a player in mud is asked too.
func (p *position) ToMove() game.Seats {
	if p.end() != running {
		return 0
	}
	return game.Both
}

func (p *position) end() finish { return p.finished(p.board.total, p.board.maxTurns) }

// Moves are always all five: a request that cannot be followed is one to stay.
func (p *position) Moves(seat game.Seat) []string {
	if !p.ToMove().Has(seat) {
		return nil
	}
	return slices.Clone(allMoves)
}

// Replacement is STAY, as often as the rules' max_timeouts.
func (p *position) Replacement(game.Seat) (string, int) { return "S", p.board.rules.MaxTimeouts }

// Play applies one letter a seat.
func (p *position) Play(turn game.Turn) (game.Position, error) {
	next, err := p.play(turn)
	if err != nil {
		return nil, err
	}
	return next, nil
}

func (p *position) play(turn game.Turn) (*position, error) {
	var asked [2]uint8
	for i, text := range turn {
		move, ok := parseLetter(text)
		if !ok {
			return nil, &game.Illegal{Seat: game.Seat(i + 1), Move: text, Rule: "a move is one of U, D, L, R and S"}
		}
		asked[i] = move
	}
	if p.end() != running {
		return nil, &game.Illegal{Seat: game.First, Move: turn.String(), Rule: "game over"}
	}
	next := &position{state: p.state, board: p.board, cheese: p.cheese}
	if took := next.step(p.board.maze, p.cheese, asked[0], asked[1]); took != nothing {
		next.cheese = slices.Clone(p.cheese)
		for _, cell := range took {
			if cell >= 0 {
				next.cheese.remove(cell)
			}
		}
	}
	return next, nil
}

func parseLetter(text string) (uint8, bool) {
	if len(text) != 1 {
		return 0, false
	}
	switch text[0] {
	case 'D':
		return down, true
	case 'L':
		return left, true
	case 'R':
		return right, true
	case 'S':
		return stay, true
	case 'U':
		return up, true
	}
	return 0, false
}

// parseWord reads a move as the protocol spells it.
func parseWord(text string) (uint8, bool) {
	for move, word := range words {
		if text == word {
			return uint8(move), true
		}
	}
	return 0, false
}

// Outcome is decided by the score; Points are the pieces of cheese.
func (p *position) Outcome() (game.Outcome, bool) {
	end := p.end()
	if end == running {
		return game.Outcome{}, false
	}
	o := game.Outcome{Reason: reasons[end], Points: [2]float64{float64(p.score[0]) / 2, float64(p.score[1]) / 2}}
	switch {
	case p.score[0] > p.score[1]:
		o.Winner = game.First
	case p.score[1] > p.score[0]:
		o.Winner = game.Second
	}
	return o, true
}

// remaining lists the cheese left, in the order of the start.
func (p *position) remaining() []int16 {
	var out []int16
	for _, cell := range p.board.order {
		if p.cheese.has(cell) {
			out = append(out, cell)
		}
	}
	return out
}
