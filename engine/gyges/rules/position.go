package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"thera/engine/game"
	"thera/engine/protocol"
)

// The reasons of natural ends.
const (
	reasonGoal       = "reached the goal"
	reasonNoMove     = "no legal move"
	reasonRepetition = "repetition"
	reasonPlyCap     = "ply cap"
)

// Position is a board with its side to move and its history.
type Position struct {
	rules   Settings
	board   Board
	mover   game.Seat
	prev    *Position
	ply     int
	over    bool
	outcome game.Outcome
}

// Settings are what a match file's `rules` may change.
type Settings struct {
	NoMove   string `yaml:"no_move" doc:"what a side without a legal move gets" enum:"loss,draw"`
	MaxPlies int    `yaml:"max_plies" doc:"plies after which a game is a draw; 0: no limit"`
}

// Default is: a side that cannot move loses, a game of 500 plies is a draw.
func Default() Settings { return Settings{NoMove: "loss", MaxPlies: 500} }

// generators pools the referee's move generators.
var generators = sync.Pool{New: func() any { return NewGenerator() }}

// NewPosition is a position without history.
func (r Settings) NewPosition(b Board, mover game.Seat) *Position {
	p := &Position{rules: r, board: b, mover: mover}
	w := generators.Get().(*Generator)
	defer generators.Put(w)
	p.settle(w)
	return p
}

// settle ends the game if it is over, except by a goal.
func (p *Position) settle(w *Generator) {
	switch {
	case !w.CanMove(p.board, p.mover):
		winner := p.mover.Other()
		if p.rules.NoMove == "draw" {
			winner = game.None
		}
		p.end(winner, reasonNoMove)
	case p.third():
		p.end(game.None, reasonRepetition)
	case p.rules.MaxPlies > 0 && p.ply >= p.rules.MaxPlies:
		p.end(game.None, reasonPlyCap)
	}
}

func (p *Position) end(winner game.Seat, reason string) {
	p.over, p.outcome = true, game.Outcome{Winner: winner, Reason: reason}
}

// third reports whether this board occurs for the third time with this mover.
func (p *Position) third() bool {
	times := 1
	for q := p.prev; q != nil; q = q.prev {
		if q.mover == p.mover && q.board == p.board {
			if times++; times == 3 {
				return true
			}
		}
	}
	return false
}

// String is "<layout> <mover>", and after a goal move "<layout> <mover>
// goal:<winner>", where the mover is the one who would be next.
func (p *Position) String() string {
	text := fmt.Sprintf("%s %d", p.board, p.mover)
	if p.over && p.outcome.Reason == reasonGoal {
		text += fmt.Sprintf(" goal:%d", p.outcome.Winner)
	}
	return text
}

// Parse reads what String writes. A layout may also be start, bench or test, and
// then player 1 is to move if no mover is given; "data" before a layout is
// allowed, as in the protocol.
func (r Settings) Parse(text string) (*Position, error) {
	fields := strings.Split(text, " ")
	if len(fields) == 2 && fields[0] == "data" || len(fields) == 3 && fields[0] == "data" {
		fields = fields[1:]
	}
	layout := fields[0]
	named, isNamed := NamedLayout(layout)
	if isNamed {
		layout = named
		if len(fields) == 1 {
			fields = append(fields, "1")
		}
	}
	if len(fields) != 2 && len(fields) != 3 {
		return nil, fmt.Errorf("position %q: want <layout> <1|2>", protocol.Clip(text))
	}
	var mover game.Seat
	switch fields[1] {
	case "1":
		mover = game.First
	case "2":
		mover = game.Second
	default:
		return nil, fmt.Errorf("side to move %q: want 1 or 2", protocol.Clip(fields[1]))
	}
	if len(fields) == 2 {
		board, err := ParseBoard(layout, 12)
		if err != nil {
			return nil, err
		}
		return r.NewPosition(board, mover), nil
	}
	if want := fmt.Sprintf("goal:%d", mover.Other()); fields[2] != want {
		return nil, fmt.Errorf("third field %q: want %s or nothing", protocol.Clip(fields[2]), want)
	}
	board, err := ParseBoard(layout, 11)
	if err != nil {
		return nil, err
	}
	p := &Position{rules: r, board: board, mover: mover}
	p.end(mover.Other(), reasonGoal)
	return p, nil
}

// Board is the board.
func (p *Position) Board() Board { return p.board }

// Mover is the side to move, or after a goal the one who would be next.
func (p *Position) Mover() game.Seat { return p.mover }

// NoMoveDraws is whether a side without a legal move draws instead of losing.
func (p *Position) NoMoveDraws() bool { return p.rules.NoMove == "draw" }

// Of is pos as a position of Gyges.
func Of(pos game.Position) (*Position, error) {
	p, ok := pos.(*Position)
	if !ok {
		return nil, fmt.Errorf("position %s is not one of gyges", pos)
	}
	return p, nil
}

// ToMove is the side to move, empty when the game is over.
func (p *Position) ToMove() game.Seats {
	if p.over {
		return 0
	}
	return game.SeatsOf(p.mover)
}

// Moves lists the legal moves as text.
func (p *Position) Moves(seat game.Seat) []string {
	if p.over || seat != p.mover {
		return nil
	}
	w := generators.Get().(*Generator)
	defer generators.Put(w)
	moves := w.Moves(p.board, p.mover, nil)
	list := make([]string, len(moves))
	for i, m := range moves {
		list[i] = m.String()
	}
	slices.Sort(list)
	return list
}

// Play makes the mover's move.
func (p *Position) Play(turn game.Turn) (game.Position, error) {
	text := turn.Of(p.mover)
	if p.over {
		return nil, &game.Illegal{Seat: p.mover, Move: text, Rule: "game over"}
	}
	m, err := ParseMove(text)
	if err != nil {
		return nil, &game.Illegal{Seat: p.mover, Move: text, Rule: err.Error()}
	}
	w := generators.Get().(*Generator)
	defer generators.Put(w)
	if !w.Legal(p.board, p.mover, m) {
		rule := w.Explain(p.board, p.mover, m)
		return nil, &game.Illegal{Seat: p.mover, Move: text, Rule: rule, Near: game.Nearest(text, p.Moves(p.mover))}
	}
	return p.after(m, w), nil
}

// after is the position after a legal move.
func (p *Position) after(m Move, w *Generator) *Position {
	next := &Position{
		rules: p.rules, board: p.board.After(m), mover: p.mover.Other(), prev: p, ply: p.ply + 1,
	}
	if m.End() >= Squares {
		next.end(p.mover, reasonGoal)
		return next
	}
	next.settle(w)
	return next
}

// Outcome is the result, once the game is over.
func (p *Position) Outcome() (game.Outcome, bool) { return p.outcome, p.over }

// Count is perft. Repetition and the ply cap, which depend on the history, do not
// end a sequence.
func (p *Position) Count(ctx context.Context, depth int) (uint64, error) {
	if p.over && depth > 0 {
		return 0, nil
	}
	return Count(ctx, p.board, p.mover, depth)
}
