package santorini

import (
	"context"
	"slices"

	"thera/engine/game"
)

// position is a state as the arena sees it, with the form it is written in.
type position struct {
	state
	form form
	lost bool // the mover of the state before had no turn

	before *state // the state that a turn led from, nil for a position that was read
}

// box makes a game.Position that is written in form f.
func box(p state, f form) game.Position { return &position{state: p, form: f} }

// unbox is the concrete state of a game.Position of this game.
func unbox(pos game.Position) (*state, form) {
	p := pos.(*position)
	return &p.state, p.form
}

func (p *position) String() string { return p.text(p.form) }

func (p *position) ToMove() game.Seats {
	if p.winner != 0 {
		return 0
	}
	return game.SeatsOf(seatOf(p.mover))
}

func seatOf(side uint8) game.Seat { return game.Seat(side&1 + 1) }

// Moves lists the texts of all next states; a blocked mover has the
// pseudo-turn.
func (p *position) Moves(seat game.Seat) []string {
	if !p.ToMove().Has(seat) {
		return nil
	}
	next := nextStates(&p.state, p.form)
	texts := make([]string, len(next))
	for i := range next {
		texts[i] = next[i].text(p.form)
	}
	slices.Sort(texts)
	return texts
}

// nextStates are the states after every turn, the pseudo-turn included.
func nextStates(p *state, f form) []state {
	if p.winner != 0 {
		return nil
	}
	turns := newFrame()
	turns.generate(p)
	if len(turns.moves) == 0 {
		return []state{blocked(p, f)}
	}
	next := make([]state, len(turns.moves))
	for i, m := range turns.moves {
		next[i] = turns.child(p, m)
	}
	return next
}

// Play reads the mover's move, the text of the next state in either form.
func (p *position) Play(turn game.Turn) (game.Position, error) {
	seat := p.ToMove().Only()
	if seat == game.None {
		seat = seatOf(p.mover)
		return nil, &game.Illegal{Seat: seat, Move: turn.String(), Rule: "game over"}
	}
	text := turn.Of(seat)
	next, _, err := parse(text)
	if err != nil {
		return nil, &game.Illegal{Seat: seat, Move: text, Rule: "not a position: " + err.Error()}
	}
	if fast := fastFor(&p.state); fast != nil && fast.leads(&p.state, &next) {
		return &position{state: next, form: p.form, before: &p.state}, nil
	}
	f := newFrame()
	if _, ok := f.find(&p.state, &next); ok {
		return &position{state: next, form: p.form, before: &p.state}, nil
	}
	if len(f.moves) == 0 && isPseudo(&p.state, &next) {
		return &position{state: blocked(&p.state, p.form), form: p.form, lost: true, before: &p.state}, nil
	}
	rule, near := wrongTurn(f, &p.state, &next)
	return nil, &game.Illegal{Seat: seat, Move: text, Rule: rule, Near: near.text(p.form)}
}

// Outcome: a position that was read says by itself why it is over.
func (p *position) Outcome() (game.Outcome, bool) {
	if p.winner == 0 {
		return game.Outcome{}, false
	}
	return game.Outcome{Winner: game.Seat(p.winner), Reason: p.reason()}, true
}

// reason tells why the game is over. After Play it knows; a text that was read
// leaves it to be worked out.
func (p *position) reason() string {
	side := p.winner - 1
	if p.lost {
		return noLegalMove
	}
	if p.workers[side]&p.up[2] != 0 {
		return "reached level 3"
	}
	before := p.state
	before.winner, before.mover = 0, side^1
	f := newFrame()
	if f.generate(&before); len(f.moves) == 0 {
		return noLegalMove
	}
	return p.god[side].String() + "'s own way to win"
}

const noLegalMove = "no legal move"

// Count counts sequences of exactly depth turns.
func (p *position) Count(ctx context.Context, depth int) (uint64, error) {
	return count(ctx, &p.state, depth)
}
