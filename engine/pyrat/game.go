package pyrat

import (
	"fmt"
	"strings"

	"thera/engine/game"
)

// Game is PyRat under some rules, from mazes of one kind.
type Game struct {
	rules Rules
	plan  plan
}

var _ game.Game = (*Game)(nil)

// New is PyRat with default settings: classic mazes of 21 x 15.
func New() *Game {
	g := &Game{plan: presetPlan(defaultPreset)}
	rules, _ := g.Settings()
	g.rules = *rules.(*Rules)
	return g
}

// Name is "pyrat".
func (g *Game) Name() string { return "pyrat" }

// Starts is 1: mazes differ by their seed.
func (g *Game) Starts() int { return 1 }

// Start is the maze of a seed.
func (g *Game) Start(_ int, seed uint64) (game.Position, error) {
	p, err := g.plan.generate(seed, g.rules)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Parse reads what String writes. All after the six lines of the protocol may
// be missing.
func (g *Game) Parse(text string) (game.Position, error) {
	d := newDraft(g.maxTurns())
	for i, line := range strings.Split(text, ";") {
		known, err := d.read(line)
		if err != nil {
			return nil, fmt.Errorf("field %d: %w", i+1, err)
		}
		if !known {
			return nil, fmt.Errorf("field %d, %q: want maze, walls, mud, cheese, player1, player2, max_turns, turn, score, mud_timers or mud_targets", i+1, strings.TrimSpace(line))
		}
	}
	p, err := d.position(g.rules)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// maxTurns is that of a position that does not say.
func (g *Game) maxTurns() int {
	if g.rules.MaxTurns > 0 {
		return g.rules.MaxTurns
	}
	return defaultMaxTurns
}

// Dialects is the one text protocol.
func (g *Game) Dialects() []game.Dialect { return []game.Dialect{Dialect{}} }
