package pyrat

import (
	"context"
	"fmt"
	"strconv"

	"thera/engine/game"
	"thera/engine/pyrat/player"
	"thera/engine/pyrat/rules"
)

// Game is PyRat under some rules, on mazes of one kind.
type Game struct {
	rules rules.Settings
	plan  rules.Plan
}

var _ game.Game = (*Game)(nil)

// New returns PyRat with default settings: classic mazes of 21 x 15.
func New() *Game {
	g := &Game{}
	settings, _ := g.Settings()
	g.rules = *settings.(*rules.Settings)
	g.plan, _ = rules.Preset(defaultPreset)
	return g
}

// Name is "pyrat".
func (g *Game) Name() string { return "pyrat" }

// Starts is 1: mazes differ by their seed.
func (g *Game) Starts() int { return 1 }

// Start makes the maze of a seed.
func (g *Game) Start(_ int, seed uint64) (game.Position, error) {
	p, err := g.plan.Generate(seed, g.rules)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Parse reads what the position's String writes. Everything after the six
// lines of the protocol may be missing.
func (g *Game) Parse(text string) (game.Position, error) {
	p, err := rules.Parse(text, g.rules)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Dialects is the one text protocol.
func (g *Game) Dialects() []game.Dialect { return []game.Dialect{Dialect{}} }

// Signature plays fixed mazes with the built-in player and counts the nodes of
// its trees. The switches are engine options; Playouts is 500 unless given.
func (g *Game) Signature(ctx context.Context, switches map[string]string) (int64, error) {
	o := player.Options{Strategy: player.Search, Depth: player.DefaultDepth, Playouts: 500}
	for name, value := range switches {
		n, err := strconv.Atoi(value)
		switch {
		case name == "Strategy" && (value == player.Greedy || value == player.Balanced || value == player.Search):
			o.Strategy = value
		case name == "SearchDepth" && err == nil && n >= 1 && n <= player.MaxDepth:
			o.Depth = n
		case name == "Playouts" && err == nil && n >= 1 && n <= player.MaxPlayouts:
			o.Playouts = n
		default:
			return 0, fmt.Errorf("option %s: %q cannot be set", name, value)
		}
	}
	return player.Signature(ctx, g.rules, o)
}
