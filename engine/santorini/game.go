package santorini

import (
	"fmt"

	"thera/engine/game"
	"thera/engine/santorini/rules"
	"thera/engine/santorini/wire"
)

// Game is Santorini with the match-ups that it starts from. Use New: the zero value
// has no start.
type Game struct {
	starts []matchup
	empty  bool   // all match-ups start from an empty board
	law    string // whose list decides in all positions, "" in those of unknown gods only
}

// matchup is the gods of both players by name.
type matchup [2]string

// known are the gods of a match-up that is played by our own rules.
func (g *Game) known(m matchup) (gods rules.Matchup, ok bool) {
	if g.law != "" {
		return gods, false
	}
	return m.gods()
}

// gods are the gods if both are known.
func (m matchup) gods() (gods rules.Matchup, ok bool) {
	first, ok1 := rules.ParseGod(m[0])
	second, ok2 := rules.ParseGod(m[1])
	return rules.Matchup{first, second}, ok1 && ok2
}

// New returns Santorini with one match-up, mortal against mortal.
func New() *Game { return &Game{starts: []matchup{{"mortal", "mortal"}}} }

// Name is "santorini".
func (*Game) Name() string { return "santorini" }

// Starts is the number of match-ups.
func (g *Game) Starts() int { return len(g.starts) }

// Start is the first position of match-up i: the standard one if both gods are
// basic, otherwise an empty board. It is the same for every seed.
func (g *Game) Start(i int, _ uint64) (game.Position, error) {
	if i < 0 || i >= len(g.starts) {
		return nil, fmt.Errorf("santorini: start %d of %d", i, len(g.starts))
	}
	return g.start(i), nil
}

// start is the first position of match-up i, in form V1 if it fits.
func (g *Game) start(i int) game.Position {
	gods, known := g.known(g.starts[i])
	if !known {
		return g.foreignStart(g.starts[i])
	}
	p := rules.Start(gods, g.empty)
	if wire.FitsV1(&p) {
		return box(p, wire.V1)
	}
	return box(p, wire.V2)
}

// Parse reads either form of the position text.
func (g *Game) Parse(text string) (game.Position, error) {
	p, f, err := wire.Parse(text)
	if err == nil && g.law == "" {
		return box(p, f), nil
	}
	q, bad := parseOutside(text)
	switch {
	case bad == nil && (g.law != "" || g.names(q.Sides[0].Name, q.Sides[1].Name)):
		return q, nil
	case g.law != "":
		err = bad
	}
	return nil, fmt.Errorf("santorini: %w", err)
}
