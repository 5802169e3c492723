package santorini

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"thera/engine/game"
	"thera/engine/santorini/foreign"
	"thera/engine/santorini/rules"
)

// outside is the game.Position of gods whose rules are not ours. It is immutable.
type outside struct {
	*foreign.Position
	text   string
	before *foreign.Position // nil if the position was parsed
	lost   bool              // the mover of before had no turn
	ruled  bool              // moves is the list of the law
	moves  []string
}

func newOutside(p *foreign.Position) *outside { return &outside{Position: p, text: p.String()} }

// parseOutside is the foreign position of a text in either form.
func parseOutside(text string) (*outside, error) {
	p, err := foreign.Parse(text)
	if err != nil {
		return nil, err
	}
	return newOutside(p), nil
}

func (p *outside) String() string { return p.text }

func (p *outside) ToMove() game.Seats {
	if p.Winner != 0 {
		return 0
	}
	return game.SeatsOf(p.seat())
}

// seat is the seat of the mover. Where player 2 alone has a god that places first, the
// side to move in the text is the other one.
func (p *outside) seat() game.Seat {
	if p.Placing() && placesFirst(p.Sides[1].Name) && !placesFirst(p.Sides[0].Name) {
		return seatOf(p.Mover).Other()
	}
	return seatOf(p.Mover)
}

func placesFirst(name string) bool {
	god, ok := rules.ParseGod(name)
	return ok && god.PlacesFirst()
}

// Under implements game.Foreign.
func (p *outside) Under(list []string) game.Position {
	next := *p
	next.ruled, next.moves = true, list
	return &next
}

// blocked reports whether the law lists no turn.
func (p *outside) blocked() bool { return p.ruled && len(p.moves) == 0 }

// Moves is the list of the law. A blocked mover has the turn that loses.
func (p *outside) Moves(seat game.Seat) []string {
	switch {
	case !p.ToMove().Has(seat):
		return nil
	case p.blocked():
		return []string{p.Blocked().String()}
	}
	return slices.Clone(p.moves)
}

// Keys implements game.Foreign.
func (p *outside) Keys(a, b []string) (keysA, keysB []string) { return foreign.Keys(a, b) }

// listed is the position of the list that next is, nil if there is none.
func (p *outside) listed(next *outside) *outside {
	if _, ok := slices.BinarySearch(p.moves, next.text); ok {
		return next
	}
	keys, key := foreign.Keys(p.moves, []string{next.text})
	at := slices.Index(keys, key[0])
	if at < 0 {
		return nil
	}
	same, err := parseOutside(p.moves[at])
	if err != nil {
		return nil
	}
	return same
}

// Play plays a state of the list, in whatever form it is written.
func (p *outside) Play(turn game.Turn) (game.Position, error) {
	seat := p.ToMove().Only()
	if seat == game.None {
		return nil, &game.Illegal{Seat: p.seat(), Move: turn.String(), Rule: "game over"}
	}
	text := turn.Of(seat)
	next, err := parseOutside(text)
	if err != nil {
		return nil, &game.Illegal{Seat: seat, Move: text, Rule: "not a position: " + err.Error()}
	}
	switch {
	case p.IsBlocked(next.Position) && (!p.ruled || len(p.moves) == 0):
		next.lost = true
	case p.ruled:
		same := p.listed(next)
		if same == nil {
			rule := fmt.Sprintf("not among the %d next states that the law lists", len(p.moves))
			return nil, &game.Illegal{Seat: seat, Move: text, Rule: rule, Near: p.Nearest(p.moves, next.text)}
		}
		next = same
	}
	next.before = p.Position
	return next, nil
}

// Nearest implements game.Foreign.
func (p *outside) Nearest(list []string, move string) string {
	at, err := foreign.Parse(move)
	if err != nil {
		return ""
	}
	near, least := "", 1<<30
	for _, text := range list {
		q, err := foreign.Parse(text)
		if err != nil {
			continue
		}
		if d := at.Distance(q); d < least {
			near, least = text, d
		}
	}
	return near
}

// ByLot implements game.Foreign: two workers a side, on random squares.
func (p *outside) ByLot(seed uint64) game.Foreign {
	if !p.Placing() {
		return nil
	}
	squares := rand.New(rand.NewPCG(seed, 0)).Perm(rules.Squares)
	return newOutside(p.Placed([2][]int{squares[:2:2], squares[2:4:4]}))
}

// Outcome is the winner that the law marked.
func (p *outside) Outcome() (game.Outcome, bool) {
	if p.Winner == 0 {
		return game.Outcome{}, false
	}
	side := &p.Sides[p.Winner-1]
	reason := side.Name + "'s own way to win"
	switch {
	case p.lost:
		reason = noLegalMove
	case p.on3(side):
		reason = "reached level 3"
	}
	return game.Outcome{Winner: game.Seat(p.Winner), Reason: reason}, true
}

func (p *outside) on3(side *foreign.Side) bool {
	for s, h := range p.Heights {
		if h == 3 && side.Workers&rules.Bit(s) != 0 {
			return true
		}
	}
	return false
}

// Draw draws what is known of the board, as for known gods.
func (p *outside) Draw(last game.Turn, colour bool) string {
	text := p.drawn().Draw(last, colour)
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	for i := range p.Sides {
		at := len(lines) - 2 + i
		lines[at] = fmt.Sprintf("%s player %d: %s%s\n", marks[i:i+1], i+1, p.Sides[i].Head, p.caption(i))
	}
	return strings.Join(lines, "")
}

// caption is what is to be said of player i+1 behind the god.
func (p *outside) caption(i int) string {
	switch {
	case int(p.Winner) == i+1:
		return ", has won"
	case p.Winner == 0 && p.seat().Index() == i && p.Placing():
		return ", to place its workers"
	case p.Winner == 0 && p.seat().Index() == i:
		return ", to move"
	}
	return ""
}

// boardOf is a state with the board of p, for drawing.
func boardOf(p *foreign.Position) rules.State {
	var s rules.State
	for at, h := range p.Heights {
		for k := range h {
			s.Above[k] |= rules.Bit(at)
		}
	}
	s.Workers = [2]uint32{p.Sides[0].Workers, p.Sides[1].Workers}
	s.Mover = p.Mover
	return s
}

var _ game.Foreign = (*outside)(nil)
