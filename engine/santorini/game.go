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
	starts []rules.Matchup
	empty  bool // all match-ups start from an empty board
}

// New returns Santorini with one match-up, mortal against mortal.
func New() *Game { return &Game{starts: []rules.Matchup{{rules.Mortal, rules.Mortal}}} }

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
	p := rules.Start(g.starts[i], g.empty)
	if wire.FitsV1(&p) {
		return box(p, wire.V1)
	}
	return box(p, wire.V2)
}

// Parse reads either form of the position text.
func (*Game) Parse(text string) (game.Position, error) {
	p, f, err := wire.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("santorini: %w", err)
	}
	return box(p, f), nil
}
