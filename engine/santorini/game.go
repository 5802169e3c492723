package santorini

import (
	"fmt"

	"thera/engine/game"
)

// Game is Santorini with the match-ups it starts from. The zero value is not
// useful; New has the standard start.
type Game struct {
	starts []matchup
	empty  bool // all match-ups start from an empty board
}

// matchup is the gods of player 1 and player 2.
type matchup [2]God

// New is Santorini, starting from mortal against mortal.
func New() *Game { return &Game{starts: []matchup{{mortal, mortal}}} }

// Name is "santorini".
func (*Game) Name() string { return "santorini" }

// Starts is the number of match-ups.
func (g *Game) Starts() int { return len(g.starts) }

// Start gives match-up i: from the standard squares where both gods start so
// in dialect v1, else from an empty board. It draws no lots.
func (g *Game) Start(i int, _ uint64) (game.Position, error) {
	if i < 0 || i >= len(g.starts) {
		return nil, fmt.Errorf("santorini: start %d of %d", i, len(g.starts))
	}
	return box(startOf(g.starts[i], g.empty)), nil
}

// startOf is the first position of a match-up.
func startOf(m matchup, empty bool) (state, form) {
	p := state{god: m, power: [2]uint32{gods[m[0]].start, gods[m[1]].start}}
	if m[0] <= hephaestus && m[1] <= hephaestus && !empty {
		p.workers = [2]uint32{bit(11) | bit(13), bit(7) | bit(17)}
		return p, formV1
	}
	if gods[m[1]].placesFirst && !gods[m[0]].placesFirst {
		p.mover = 1
	}
	return p, formV2
}

// Parse reads either form of the position text.
func (*Game) Parse(text string) (game.Position, error) {
	p, f, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("santorini: %w", err)
	}
	return box(p, f), nil
}
