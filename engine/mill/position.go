package mill

import (
	"slices"

	"thera/engine/game"
)

// Position is one state of a game. It is immutable and links back through the
// quiet plies before it, for repetition.
type Position struct {
	state
	rules   *rules
	quiet   int       // slides and flights since the last placing or taking
	actions int       // played since the start, removals included
	last    bool      // the act to remove comes from a placing: the text's phase is still p
	drawn   string    // the reason of a draw, "" if it is none
	prev    *Position // nil after a placing or taking: nothing before can recur
}

// newPosition completes p with what follows from its history.
func newPosition(p Position) *Position {
	p.drawn = p.draw()
	return &p
}

// Winner's reasons.
const (
	reasonFew        = "fewer than three men"
	reasonStuck      = "no legal move"
	reasonRepetition = "repetition"
	reasonQuiet      = "quiet plies"
)

// draw is why p is a draw, or "". A removal that is due is part of the turn
// before it and resets both counts, so nothing is judged there.
func (p *Position) draw() string {
	if p.act != actMove || p.placing() || p.stuck(p.rules) {
		return ""
	}
	if p.quiet >= p.rules.quiet {
		return reasonQuiet
	}
	seen := 1
	for at := p.prev; at != nil; at = at.prev {
		if at.state == p.state {
			if seen++; seen == 3 {
				return reasonRepetition
			}
		}
	}
	return ""
}

// seat is the chair of a colour: white is first.
func (c side) seat() game.Seat { return game.Seat(c + 1) }

// ToMove is the seat that has to act, or nobody when the game is over.
func (p *Position) ToMove() game.Seats {
	if p.over() {
		return 0
	}
	return game.SeatsOf(p.turn.seat())
}

func (p *Position) over() bool {
	return p.act == actWon || p.drawn != "" || p.stuck(p.rules)
}

// Outcome tells a finished game: too few men, a blocked mover, or a draw.
func (p *Position) Outcome() (game.Outcome, bool) {
	switch {
	case p.act == actWon:
		return game.Outcome{Winner: p.turn.seat(), Reason: reasonFew}, true
	case p.stuck(p.rules):
		return game.Outcome{Winner: p.turn.seat().Other(), Reason: reasonStuck}, true
	case p.drawn != "":
		return game.Outcome{Reason: p.drawn}, true
	}
	return game.Outcome{}, false
}

// Moves lists the legal actions of seat, sorted.
func (p *Position) Moves(seat game.Seat) []string {
	if !p.ToMove().Has(seat) {
		return nil
	}
	list := p.moves(p.rules, nil)
	texts := make([]string, len(list))
	for i, m := range list {
		texts[i] = m.String()
	}
	slices.Sort(texts)
	return texts
}

// Play plays the action of the side to move.
func (p *Position) Play(turn game.Turn) (game.Position, error) {
	mover := p.turn.seat()
	text := turn.Of(mover)
	if p.over() {
		return nil, p.illegal(mover, turn.String(), "game over")
	}
	if turn.Of(mover.Other()) != "" {
		return nil, p.illegal(mover.Other(), turn.Of(mover.Other()), "it is the other side's turn")
	}
	m, ok := parseMove(text)
	if !ok {
		return nil, p.illegal(mover, text, "not a move: want a point, from-to, or x and a point")
	}
	if !p.legal(p.rules, m) {
		return nil, p.illegal(mover, text, p.broken(m))
	}
	return p.next(m), nil
}

// next plays a legal move.
func (p *Position) next(m move) *Position {
	next := Position{state: p.state, rules: p.rules, actions: p.actions + 1}
	next.play(m)
	if m.kind() == sliding {
		next.quiet = p.quiet + 1
		next.prev = p
	} else {
		next.last = m.kind() == placing && next.act == actRemove && next.hand == [2]uint8{}
	}
	return newPosition(next)
}

// broken is the rule that an illegal move breaks.
func (p *Position) broken(m move) string {
	to := m.to()
	switch {
	case p.act == actRemove && m.kind() != taking:
		return "a mill was closed: a man of the opponent must be removed"
	case m.kind() == taking && p.act != actRemove:
		return "no mill was closed: nothing may be removed"
	case m.kind() == taking && p.theirs()&to.bit() == 0:
		return "no man of the opponent stands on " + to.String()
	case m.kind() == taking:
		return "the man on " + to.String() + " stands in a mill while others do not"
	case m.kind() == placing && !p.placing():
		return "no man is in hand: want from-to"
	case m.kind() == sliding && p.placing():
		return "men in hand must be placed first"
	case m.kind() == sliding && p.mine()&m.from().bit() == 0:
		return "no own man stands on " + m.from().String()
	case p.empty()&to.bit() == 0:
		return to.String() + " is not empty"
	}
	return m.from().String() + " and " + to.String() + " are not neighbours, and this side may not fly"
}

// illegal is the error of a move, with the legal move nearest to it.
func (p *Position) illegal(seat game.Seat, text, rule string) error {
	return &game.Illegal{Seat: seat, Move: text, Rule: rule, Near: nearest(text, p.Moves(seat))}
}
