package santorini

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"thera/engine/game"
	"thera/engine/protocol"
	"thera/engine/santorini/foreign"
	"thera/engine/santorini/rules"
	"thera/engine/santorini/wire"
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
func (*outside) Keys(a, b []string) (keysA, keysB []string) { return foreign.Keys(a, b) }

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
	return newOutside(p.Placed(rand.New(rand.NewPCG(seed, 0)).Perm(rules.Squares)))
}

// Outcome is the winner that the law marked.
func (p *outside) Outcome() (game.Outcome, bool) {
	if p.Winner == 0 {
		return game.Outcome{}, false
	}
	side := p.Winner - 1
	reason := p.Sides[side].Name + wonByPower
	switch {
	case p.lost:
		reason = noLegalMove
	case p.Workers[side]&p.Level(3) != 0:
		reason = reachedTop
	}
	return game.Outcome{Winner: game.Seat(p.Winner), Reason: reason}, true
}

// Draw draws what is known of the board, as for known gods.
func (p *outside) Draw(last game.Turn, colour bool) string {
	return p.drawn().draw(last, colour, p.captions())
}

// SVG is the same as a picture.
func (p *outside) SVG(last game.Turn, _ game.Position) string {
	return p.drawn().picture(last, p.captions())
}

// drawn is a position with the board of p, for drawing.
func (p *outside) drawn() *position {
	drawn := &position{State: p.State}
	if p.before != nil {
		drawn.before = &p.before.State
	}
	return drawn
}

func (p *outside) captions() (list [2]string) {
	for i := range list {
		list[i] = captionOf(i, p.Sides[i].Head, int(p.Winner), p.seat().Index(), p.Placing())
	}
	return list
}

// Words is the turn as far as the board shows it.
func (p *outside) Words(turn game.Turn) string {
	seat := p.ToMove().Only()
	if seat == game.None {
		return ""
	}
	next, err := parseOutside(turn.Of(seat))
	switch {
	case err != nil:
		return ""
	case p.IsBlocked(next.Position):
		return "cannot move"
	}
	return changes(&p.State, &next.State, seat)
}

// Rules is Santorini's part of `rules` in a match file.
type Rules struct {
	Law string `yaml:"law" json:"law,omitempty" doc:"whose list of next states is the rule: both (the engines that play, where their lists differ the pair is unrated), the name of an engine, or the command of a program; default: our own rules, and both for a god that we do not know"`
}

// Law implements game.RoleCatalog.
func (g *Game) Law() string {
	if g.law == "" {
		return game.LawBoth
	}
	return g.law
}

// names reports whether a start has one of these gods and is not played by our own
// rules.
func (g *Game) names(gods ...string) bool {
	for _, m := range g.starts {
		if _, known := g.known(m); known {
			continue
		}
		for _, name := range gods {
			if _, ours := rules.ParseGod(name); !ours && (m[0] == name || m[1] == name) {
				return true
			}
		}
	}
	return false
}

// foreignStart is the first position of a match-up that the law decides about: the
// standard one for basic gods, otherwise an empty board.
func (g *Game) foreignStart(m matchup) game.Position {
	text := strings.Repeat("0", rules.Squares) + "/1"
	if gods, known := m.gods(); known {
		p := rules.Start(gods, g.empty)
		text = wire.Text(&p, wire.V2)
	} else {
		for _, name := range m {
			text += "/" + name
			if god, ours := rules.ParseGod(name); ours {
				text += god.FormatState(god.InitialState())
			}
		}
	}
	p, err := parseOutside(text)
	if err != nil {
		panic(fmt.Sprintf("santorini: start of %s: %v", m, err)) // names are checked
	}
	return p
}

var foreignName = regexp.MustCompile(`^[a-z][a-z0-9_]{1,30}$`)

// checkName returns an error for the name of a god that is neither known nor may be
// one that only engines know. A name that is nearly a known one is a mistake, unless
// the match file has a law.
func checkName(name, law string) error {
	if _, ok := rules.ParseGod(name); ok {
		return nil
	}
	if !foreignName.MatchString(name) || name == "all" {
		return fmt.Errorf("unknown god %q", name)
	}
	for god := range rules.GodCount {
		if law == "" && protocol.Distance(name, god.String()) <= 2 {
			return fmt.Errorf("unknown god %q (did you mean %s? if only the engines know it, give rules: {law: both})", name, god)
		}
	}
	return nil
}
