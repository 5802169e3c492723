package rules

import (
	"context"
	"slices"

	"thera/engine/game"
)

// Position is the game.Position of a state: the state and the form of its text.
type Position struct {
	State
	form Form
	lost bool // the mover of before was blocked

	unlisted string // the class of the last turn, if only the printed rules allow it

	before *State // the state before the last turn, nil if the position was parsed
}

// Box is the game.Position of p, written in form f.
func Box(p State, f Form) game.Position { return &Position{State: p, form: f} }

// Read reads a position in either form.
func Read(text string) (*Position, error) {
	p, f, err := Parse(text)
	if err != nil {
		return nil, err
	}
	return &Position{State: p, form: f}, nil
}

// Unbox is the state and form of a game.Position of this game.
func Unbox(pos game.Position) (*State, Form) {
	p := pos.(*Position)
	return &p.State, p.form
}

func (p *Position) String() string { return Text(&p.State, p.form) }

func (p *Position) ToMove() game.Seats {
	if p.Winner != 0 {
		return 0
	}
	return game.SeatsOf(SeatOf(p.Mover))
}

// SeatOf is the seat of a side, 0 or 1.
func SeatOf(side uint8) game.Seat { return game.Seat(side&1 + 1) }

// Moves lists the texts of all next states. A blocked mover has one.
func (p *Position) Moves(seat game.Seat) []string {
	if !p.ToMove().Has(seat) {
		return nil
	}
	next := NextStates(&p.State)
	if len(next) == 0 {
		next = []State{Blocked(&p.State, p.form)}
	}
	texts := make([]string, len(next))
	for i := range next {
		texts[i] = Text(&next[i], p.form)
	}
	slices.Sort(texts)
	return texts
}

// Play plays the mover's move, the text of the next state in either form.
func (p *Position) Play(turn game.Turn) (game.Position, error) {
	seat := p.ToMove().Only()
	if seat == game.None {
		seat = SeatOf(p.Mover)
		return nil, &game.Illegal{Seat: seat, Move: turn.String(), Rule: "game over"}
	}
	text := turn.Of(seat)
	next, _, err := Parse(text)
	if err != nil {
		return nil, &game.Illegal{Seat: seat, Move: text, Rule: "not a position: " + err.Error()}
	}
	if Leads(&p.State, &next) {
		return &Position{State: next, form: p.form, before: &p.State}, nil
	}
	l := NewMoveList()
	if l.Generate(&p.State); len(l.Moves) == 0 && IsAfterBlocked(&p.State, &next) {
		return &Position{State: Blocked(&p.State, p.form), form: p.form, lost: true, before: &p.State}, nil
	}
	if class, ok := PrintedOnly(&p.State, &next); ok {
		return &Position{State: next, form: p.form, unlisted: class, before: &p.State}, nil
	}
	rule, near := BrokenRule(l, &p.State, &next)
	return nil, &game.Illegal{Seat: seat, Move: text, Rule: rule, Near: Text(&near, p.form)}
}

// Warning names the class of a last turn that only the printed rules allow.
func (p *Position) Warning() string {
	if p.unlisted == "" {
		return ""
	}
	return notListed + ": " + p.unlisted
}

const notListed = "not listed by engines of today"

// Outcome is the winner and the reason, if the game is over.
func (p *Position) Outcome() (game.Outcome, bool) {
	if p.Winner == 0 {
		return game.Outcome{}, false
	}
	return game.Outcome{Winner: game.Seat(p.Winner), Reason: p.reason()}, true
}

// reason is why the game is over. For a parsed position it is derived from the
// position itself.
func (p *Position) reason() string {
	side := p.Winner - 1
	if p.lost {
		return NoLegalMove
	}
	if p.Workers[side]&p.Above[2] != 0 {
		return ReachedTop
	}
	before := p.State
	before.Winner, before.Mover = 0, side^1
	l := NewMoveList()
	if l.Generate(&before); len(l.Moves) == 0 {
		return NoLegalMove
	}
	return p.Gods[side].String() + WonByPower
}

// Why a game is over; WonByPower is behind the name of the god.
const (
	NoLegalMove = "no legal move"
	ReachedTop  = "reached level 3"
	WonByPower  = "'s own way to win"
)

// WinsAtOnce reports whether the mover has a turn that wins. Some gods have tens of
// thousands of turns: to play each takes minutes.
func (p *Position) WinsAtOnce() bool {
	if p.ToMove() == 0 {
		return false
	}
	l := NewMoveList()
	l.GenerateWins(&p.State)
	return slices.ContainsFunc(l.Moves, Move.Wins)
}

// Count counts sequences of exactly depth turns.
func (p *Position) Count(ctx context.Context, depth int) (uint64, error) {
	return Count(ctx, &p.State, depth)
}

// Drawn is a position for drawing, with what was before it, if that is known.
func Drawn(p State, before *State) *Position { return &Position{State: p, before: before} }
