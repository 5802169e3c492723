package foreign

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"thera/engine/game"
	"thera/engine/santorini/rules"
)

func (p *Position) ToMove() game.Seats {
	if p.Winner != 0 {
		return 0
	}
	return game.SeatsOf(p.seat())
}

// seat is the seat of the mover. Where player 2 alone has a god that places first, the
// side to move in the text is the other one.
func (p *Position) seat() game.Seat {
	if p.Placing() && placesFirst(p.Sides[1].Name) && !placesFirst(p.Sides[0].Name) {
		return rules.SeatOf(p.Mover).Other()
	}
	return rules.SeatOf(p.Mover)
}

func placesFirst(name string) bool {
	god, ok := rules.ParseGod(name)
	return ok && god.PlacesFirst()
}

// Under implements game.Foreign.
func (p *Position) Under(list []string) game.Position {
	next := *p
	next.ruled, next.moves = true, list
	return &next
}

// NoTurn reports whether the rules engine lists no turn.
func (p *Position) NoTurn() bool { return p.ruled && len(p.moves) == 0 }

// Moves returns the list of the rules engine. A blocked mover has the turn that loses.
func (p *Position) Moves(seat game.Seat) []string {
	switch {
	case !p.ToMove().Has(seat):
		return nil
	case p.NoTurn():
		return []string{p.Blocked().String()}
	}
	return slices.Clone(p.moves)
}

// Play plays a state of the list, in whatever form it is written.
func (p *Position) Play(turn game.Turn) (game.Position, error) {
	seat := p.ToMove().Only()
	if seat == game.None {
		return nil, &game.Illegal{Seat: p.seat(), Move: turn.String(), Rule: "game over"}
	}
	text := turn.Of(seat)
	next, err := Parse(text)
	if err != nil {
		return nil, &game.Illegal{Seat: seat, Move: text, Rule: "not a position: " + err.Error()}
	}
	switch {
	case p.IsBlocked(next) && (!p.ruled || len(p.moves) == 0):
		next.lost = true
	case p.ruled && !slices.Contains(p.moves, next.String()):
		rule := fmt.Sprintf("not among the %d next states that the rules engine lists", len(p.moves))
		return nil, &game.Illegal{Seat: seat, Move: text, Rule: rule, Near: p.Nearest(p.moves, next.String())}
	}
	next.before = &p.State
	return next, nil
}

// Nearest implements game.Foreign.
func (p *Position) Nearest(list []string, move string) string {
	at, err := Parse(move)
	if err != nil {
		return ""
	}
	near, least := "", 1<<30
	for _, text := range list {
		q, err := Parse(text)
		if err != nil {
			continue
		}
		if d := rules.Distance(&at.State, &q.State); d < least {
			near, least = text, d
		}
	}
	return near
}

// ByLot implements game.Foreign: two workers a side, on random squares.
func (p *Position) ByLot(seed uint64) game.Foreign {
	if !p.Placing() {
		return nil
	}
	return p.Placed(rand.New(rand.NewPCG(seed, 0)).Perm(rules.Squares))
}

// Outcome returns the winner that the rules engine marked.
func (p *Position) Outcome() (game.Outcome, bool) {
	if p.Winner == 0 {
		return game.Outcome{}, false
	}
	side := p.Winner - 1
	reason := p.Sides[side].Name + rules.WonByPower
	switch {
	case p.lost:
		reason = rules.NoLegalMove
	case p.Workers[side]&p.Level(3) != 0:
		reason = rules.ReachedTop
	}
	return game.Outcome{Winner: game.Seat(p.Winner), Reason: reason}, true
}

// Draw draws what is known of the board, as for known gods.
func (p *Position) Draw(last game.Turn, colour bool) string {
	return rules.Drawn(p.State, p.before).DrawWith(last, colour, p.captions())
}

// SVG is the same as a picture.
func (p *Position) SVG(last game.Turn, _ game.Position) string {
	return rules.Drawn(p.State, p.before).Picture(last, p.captions())
}

func (p *Position) captions() (list [2]string) {
	for i := range list {
		list[i] = rules.CaptionOf(i, p.Sides[i].Head, int(p.Winner), p.seat().Index(), p.Placing())
	}
	return list
}

// Words is the turn as far as the board shows it.
func (p *Position) Words(turn game.Turn) string {
	seat := p.ToMove().Only()
	if seat == game.None {
		return ""
	}
	next, err := Parse(turn.Of(seat))
	switch {
	case err != nil:
		return ""
	case p.IsBlocked(next):
		return "cannot move"
	}
	return rules.Changes(&p.State, &next.State, seat)
}
