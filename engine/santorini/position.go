package santorini

import (
	"context"
	"slices"

	"thera/engine/game"
	"thera/engine/santorini/rules"
	"thera/engine/santorini/wire"
)

// position is the game.Position of a state: the state and the form of its text.
type position struct {
	rules.State
	form wire.Form
	lost bool // the mover of before was blocked

	unlisted string // the class of the last turn, if only the printed rules allow it

	before *rules.State // the state before the last turn, nil if the position was parsed
}

// box is the game.Position of p, written in form f.
func box(p rules.State, f wire.Form) game.Position { return &position{State: p, form: f} }

// unbox is the state and form of a game.Position of this game.
func unbox(pos game.Position) (*rules.State, wire.Form) {
	p := pos.(*position)
	return &p.State, p.form
}

func (p *position) String() string { return wire.Text(&p.State, p.form) }

func (p *position) ToMove() game.Seats {
	if p.Winner != 0 {
		return 0
	}
	return game.SeatsOf(seatOf(p.Mover))
}

func seatOf(side uint8) game.Seat { return game.Seat(side&1 + 1) }

// Moves lists the texts of all next states. A blocked mover has one.
func (p *position) Moves(seat game.Seat) []string {
	if !p.ToMove().Has(seat) {
		return nil
	}
	next := rules.NextStates(&p.State)
	if len(next) == 0 {
		next = []rules.State{wire.Blocked(&p.State, p.form)}
	}
	texts := make([]string, len(next))
	for i := range next {
		texts[i] = wire.Text(&next[i], p.form)
	}
	slices.Sort(texts)
	return texts
}

// Play plays the mover's move, the text of the next state in either form.
func (p *position) Play(turn game.Turn) (game.Position, error) {
	seat := p.ToMove().Only()
	if seat == game.None {
		seat = seatOf(p.Mover)
		return nil, &game.Illegal{Seat: seat, Move: turn.String(), Rule: "game over"}
	}
	text := turn.Of(seat)
	next, _, err := wire.Parse(text)
	if err != nil {
		return nil, &game.Illegal{Seat: seat, Move: text, Rule: "not a position: " + err.Error()}
	}
	if rules.Leads(&p.State, &next) {
		return &position{State: next, form: p.form, before: &p.State}, nil
	}
	l := rules.NewMoveList()
	if l.Generate(&p.State); len(l.Moves) == 0 && rules.IsAfterBlocked(&p.State, &next) {
		return &position{State: wire.Blocked(&p.State, p.form), form: p.form, lost: true, before: &p.State}, nil
	}
	if class, ok := rules.PrintedOnly(&p.State, &next); ok {
		return &position{State: next, form: p.form, unlisted: class, before: &p.State}, nil
	}
	rule, near := rules.BrokenRule(l, &p.State, &next)
	return nil, &game.Illegal{Seat: seat, Move: text, Rule: rule, Near: wire.Text(&near, p.form)}
}

// Warning names the class of a last turn that only the printed rules allow.
func (p *position) Warning() string {
	if p.unlisted == "" {
		return ""
	}
	return notListed + ": " + p.unlisted
}

const notListed = "not listed by engines of today"

// Outcome is the winner and the reason, if the game is over.
func (p *position) Outcome() (game.Outcome, bool) {
	if p.Winner == 0 {
		return game.Outcome{}, false
	}
	return game.Outcome{Winner: game.Seat(p.Winner), Reason: p.reason()}, true
}

// reason is why the game is over. For a parsed position it is derived from the
// position itself.
func (p *position) reason() string {
	side := p.Winner - 1
	if p.lost {
		return noLegalMove
	}
	if p.Workers[side]&p.Above[2] != 0 {
		return reachedTop
	}
	before := p.State
	before.Winner, before.Mover = 0, side^1
	l := rules.NewMoveList()
	if l.Generate(&before); len(l.Moves) == 0 {
		return noLegalMove
	}
	return p.Gods[side].String() + wonByPower
}

// Why a game is over; wonByPower is behind the name of the god.
const (
	noLegalMove = "no legal move"
	reachedTop  = "reached level 3"
	wonByPower  = "'s own way to win"
)

// WinsAtOnce reports whether the mover has a turn that wins. Some gods have tens of
// thousands of turns: to play each takes minutes.
func (p *position) WinsAtOnce() bool {
	if p.ToMove() == 0 {
		return false
	}
	l := rules.NewMoveList()
	l.GenerateWins(&p.State)
	return slices.ContainsFunc(l.Moves, rules.Move.Wins)
}

// Count counts sequences of exactly depth turns.
func (p *position) Count(ctx context.Context, depth int) (uint64, error) {
	return rules.Count(ctx, &p.State, depth)
}
