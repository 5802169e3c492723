package rules

import (
	"fmt"
	"iter"
	"slices"

	"thera/engine/game"
)

// Position is one position of a game. It is immutable and links back to the
// positions since the last placing or removal, for repetition.
type Position struct {
	state   State
	rules   Rules
	quiet   int       // slides since the last placing or removal
	plies   int       // since the start, removals included
	lastMan bool      // a removal is due for placing the last man: the text's phase is still p
	drawn   string    // the reason of a draw, or ""
	prev    *Position // nil after a placing or removal: no earlier position can recur
}

// Start returns the empty board with nine men in each hand.
func Start(r Rules) *Position {
	return newPosition(Position{state: State{Hand: [2]uint8{9, 9}}, rules: r})
}

// newPosition completes p with what follows from its history.
func newPosition(p Position) *Position {
	if p.drawn == "" {
		p.drawn = p.draw()
	}
	return &p
}

// State returns the position without its history.
func (p *Position) State() State { return p.state }

// Rules returns the rules of the game.
func (p *Position) Rules() Rules { return p.rules }

// QuietPlies returns the number of slides since the last placing or removal.
func (p *Position) QuietPlies() int { return p.quiet }

// Counted yields the states that count for repetition, latest first: that of p
// and those before it, if a slide reached them. The state after the last placing
// or removal and the first of the game do not count, as in all engines.
func (p *Position) Counted() iter.Seq[*State] {
	return func(yield func(*State) bool) {
		for at := p; at.prev != nil && yield(&at.state); at = at.prev {
		}
	}
}

// Reasons of an outcome.
const (
	reasonFew        = "fewer than three men"
	reasonStuck      = "no legal move"
	reasonRepetition = "repetition"
	reasonQuiet      = "quiet plies"
)

// draw returns why p is a draw, or "". A removal that is due belongs to the
// turn before it and resets both counts: only a claim makes it a draw.
func (p *Position) draw() string {
	if p.state.Action != MoveMan || p.state.Placing() || p.state.Stuck(&p.rules) {
		return ""
	}
	if p.quiet >= p.rules.QuietPlies {
		return reasonQuiet
	}
	seen := 0
	for at := p; at.prev != nil; at = at.prev {
		if at.state == p.state {
			if seen++; seen == 3 {
				return reasonRepetition
			}
		}
	}
	return ""
}

// DrawMove claims a draw; see DrawClaimed.
const DrawMove = "draw"

// DrawClaimed returns p with the draw that the side to move may claim, or nil.
// A ply that completes the quiet plies and closes a mill asks for a removal,
// which resets the count; older engines claim the draw instead.
func (p *Position) DrawClaimed() *Position {
	if p.state.Action != RemoveMan || p.quiet < p.rules.QuietPlies || p.drawn != "" {
		return nil
	}
	claimed := *p
	claimed.drawn = reasonQuiet
	return &claimed
}

// ToMove is the seat that has to act, or nobody when the game is over.
func (p *Position) ToMove() game.Seats {
	if _, over := p.Outcome(); over {
		return 0
	}
	return game.SeatsOf(p.state.Turn.Seat())
}

// Outcome returns how a finished game ended: too few men, a blocked side, or a
// draw.
func (p *Position) Outcome() (game.Outcome, bool) {
	switch {
	case p.state.Action == Won:
		return game.Outcome{Winner: p.state.Turn.Seat(), Reason: reasonFew}, true
	case p.state.Stuck(&p.rules):
		return game.Outcome{Winner: p.state.Turn.Seat().Other(), Reason: reasonStuck}, true
	case p.drawn != "":
		return game.Outcome{Reason: p.drawn}, true
	}
	return game.Outcome{}, false
}

// Moves lists the legal moves of seat, sorted.
func (p *Position) Moves(seat game.Seat) []string {
	if !p.ToMove().Has(seat) {
		return nil
	}
	list := p.state.Moves(&p.rules, nil)
	texts := make([]string, len(list))
	for i, m := range list {
		texts[i] = m.String()
	}
	slices.Sort(texts)
	return texts
}

// Play plays the move of the side to move.
func (p *Position) Play(turn game.Turn) (game.Position, error) {
	mover := p.state.Turn.Seat()
	text := turn.Of(mover)
	if p.ToMove() == 0 {
		return nil, p.illegal(mover, turn.String(), "game over")
	}
	if turn.Of(mover.Other()) != "" {
		return nil, p.illegal(mover.Other(), turn.Of(mover.Other()), "it is the other side's turn")
	}
	if claimed := p.DrawClaimed(); claimed != nil && text == DrawMove {
		return claimed, nil
	}
	m, ok := ParseMove(text)
	if !ok {
		return nil, p.illegal(mover, text, "not a move: want a point, from-to, or x and a point")
	}
	if !p.state.Legal(&p.rules, m) {
		return nil, p.illegal(mover, text, p.state.broken(m))
	}
	return p.Next(m), nil
}

// Next plays a legal move.
func (p *Position) Next(m Move) *Position {
	next := Position{state: p.state, rules: p.rules, plies: p.plies + 1}
	next.state.Play(m)
	if m.Kind() == Sliding {
		next.quiet = p.quiet + 1
		next.prev = p
	} else {
		next.lastMan = m.Kind() == Placing && next.state.Action == RemoveMan && next.state.Hand == [2]uint8{}
	}
	return newPosition(next)
}

// broken returns the rule that an illegal move breaks.
func (s *State) broken(m Move) string {
	to := m.To()
	switch {
	case s.Action == RemoveMan && m.Kind() != Removing:
		return "a mill was closed: a man of the opponent must be removed"
	case m.Kind() == Removing && s.Action != RemoveMan:
		return "no mill was closed: nothing may be removed"
	case m.Kind() == Removing && s.Theirs()&to.Set() == 0:
		return "no man of the opponent stands on " + to.String()
	case m.Kind() == Removing:
		return "the man on " + to.String() + " stands in a mill while others do not"
	case m.Kind() == Placing && !s.Placing():
		return "no man is in hand: want from-to"
	case m.Kind() == Sliding && s.Placing():
		return "men in hand must be placed first"
	case m.Kind() == Sliding && s.Mine()&m.From().Set() == 0:
		return "no own man stands on " + m.From().String()
	case s.Empty()&to.Set() == 0:
		return to.String() + " is not empty"
	}
	return m.From().String() + " and " + to.String() + " are not neighbours, and this side may not fly"
}

// illegal returns the error of a move, with the nearest legal move.
func (p *Position) illegal(seat game.Seat, text, rule string) error {
	return &game.Illegal{Seat: seat, Move: text, Rule: rule, Near: game.Nearest(text, p.Moves(seat))}
}

// Of is pos as a position of this game.
func Of(pos game.Position) (*Position, error) {
	p, ok := pos.(*Position)
	if !ok {
		return nil, fmt.Errorf("a position of another game: %T", pos)
	}
	return p, nil
}
