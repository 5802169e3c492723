package rules

import (
	"slices"
	"time"

	"thera/engine/game"
)

// Settings are the match file's `rules`. Only MaxTurns and MaxTimeouts matter
// here; the times are for whoever leads the conversation.
type Settings struct {
	MaxTurns       int           `yaml:"max_turns" doc:"turns until the game ends; 0: what the preset says, else 300"`
	MaxTimeouts    int           `yaml:"max_timeouts" doc:"late or unreadable moves that a player may make in a game, one more loses; 0: any number"`
	Preprocessing  time.Duration `yaml:"preprocessing" doc:"time to look at the maze before the first turn"`
	Postprocessing time.Duration `yaml:"postprocessing" doc:"time after the game; 0: none is offered"`
}

// Default are the settings of a match file that has none.
func Default() Settings { return Settings{Preprocessing: 3 * time.Second, Postprocessing: time.Second} }

// defaultMaxTurns holds for positions that say nothing else.
const defaultMaxTurns = 300

// Board is what all positions of a game share. It does not change.
type Board struct {
	*Maze
	Cheese   []Cell // all cheese of the start, in the order in which it is printed
	Total    Points // all cheese, taken or not
	MaxTurns int32
	Settings Settings
}

// Position is one state of a game.
type Position struct {
	state  State
	board  *Board
	cheese Set // of cells; shared with the predecessor until some is taken
}

var (
	_ game.Position = (*Position)(nil)
	_ game.Counter  = (*Position)(nil)
)

// newPosition returns a position of that maze in which the given cheese is
// left.
func newPosition(m *Maze, cheese []Cell, maxTurns int, settings Settings, s State) *Position {
	s.Left = int32(len(cheese))
	p := &Position{
		state: s, cheese: NewSet(m.Cells()),
		board: &Board{
			Maze: m, Cheese: cheese, Total: 2*Points(len(cheese)) + s.Score[0] + s.Score[1],
			MaxTurns: int32(maxTurns), Settings: settings,
		},
	}
	for _, cell := range cheese {
		p.cheese.Add(int(cell))
	}
	return p
}

// Board returns what the position shares with the others of its game.
func (p *Position) Board() *Board { return p.board }

// State returns a copy of the state.
func (p *Position) State() State { return p.state }

// Cheese returns the set of cells with cheese, which must not be changed.
func (p *Position) Cheese() Set { return p.cheese }

// ToMove is both seats until the game is over: a player in mud is asked too.
func (p *Position) ToMove() game.Seats {
	if p.board.Over(&p.state) {
		return 0
	}
	return game.Both
}

// Moves are always all five: a request that cannot be followed is one to stay.
func (p *Position) Moves(seat game.Seat) []string {
	if !p.ToMove().Has(seat) {
		return nil
	}
	return []string{"D", "L", "R", "S", "U"}
}

// Play applies one letter a seat.
func (p *Position) Play(turn game.Turn) (game.Position, error) {
	var moves [2]Move
	for i, text := range turn {
		move, ok := ParseLetter(text)
		if !ok {
			return nil, &game.Illegal{Seat: game.Seat(i + 1), Move: text, Rule: "a move is one of U, D, L, R and S"}
		}
		moves[i] = move
	}
	if p.board.Over(&p.state) {
		return nil, &game.Illegal{Seat: game.First, Move: turn.String(), Rule: "game over"}
	}
	return p.After(moves[0], moves[1]), nil
}

// After returns the position after one turn of a game that is not over.
func (p *Position) After(rat, python Move) *Position {
	next := &Position{state: p.state, board: p.board, cheese: p.cheese}
	if taken, n := next.state.Step(p.board.Maze, p.cheese, rat, python); n > 0 {
		next.cheese = slices.Clone(p.cheese)
		for _, cell := range taken[:n] {
			next.cheese.Remove(int(cell))
		}
	}
	return next
}

// Executed returns what a player's move comes to: Stay where a wall, the
// border or mud keeps the player in place.
func (p *Position) Executed(player int, move Move) Move {
	if to, _ := p.board.Next(p.state.At[player], move); p.state.Timer[player] > 0 || to < 0 {
		return Stay
	}
	return move
}

// Outcome is decided by the score; its points are the pieces of cheese.
func (p *Position) Outcome() (game.Outcome, bool) {
	end := p.board.ending(&p.state)
	if end == running {
		return game.Outcome{}, false
	}
	score := p.state.Score
	o := game.Outcome{Reason: reasons[end], Points: [2]float64{float64(score[0]) / 2, float64(score[1]) / 2}}
	switch {
	case score[0] > score[1]:
		o.Winner = game.First
	case score[1] > score[0]:
		o.Winner = game.Second
	}
	return o, true
}
