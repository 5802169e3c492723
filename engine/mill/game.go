package mill

import (
	"fmt"

	"thera/engine/game"
)

// Game is Nine Men's Morris bound to its rules.
type Game struct {
	rules  *rules
	tables *Tables // nil without
}

var _ game.Game = (*Game)(nil)

// New is the game with default rules.
func New() *Game {
	r := defaultRules
	return &Game{rules: &r}
}

// Name is "mill".
func (g *Game) Name() string { return "mill" }

// Settings are the default Rules; mill has no openings of its own.
func (g *Game) Settings() (rules, openings any) {
	r := DefaultRules()
	return &r, nil
}

// With binds rules.
func (g *Game) With(rules, openings any) (game.Game, []game.Problem) {
	r, ok := rules.(*Rules)
	if !ok || openings != nil {
		return nil, []game.Problem{{Path: "rules", Err: fmt.Errorf("settings of type %T and %T are not mill's", rules, openings)}}
	}
	bound, problems := r.bind()
	if len(problems) > 0 {
		return nil, problems
	}
	bounded := &Game{rules: bound}
	if r.Tables != "" {
		tables, err := LoadTables(r.Tables, r.Flying)
		if err != nil {
			return nil, []game.Problem{{Path: "rules.tables", Err: err}}
		}
		bounded.tables = tables
	}
	return bounded, nil
}

// Starts is 1: the empty board.
func (g *Game) Starts() int { return 1 }

// Start is the empty board with white to place.
func (g *Game) Start(i int, _ uint64) (game.Position, error) {
	if i != 0 {
		return nil, fmt.Errorf("start %d: mill has one start", i)
	}
	return newPosition(Position{state: startState(), rules: g.rules}), nil
}

// Parse reads a position of seventeen fields.
func (g *Game) Parse(text string) (game.Position, error) {
	p, err := parseFEN(g.rules, text)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Dialects lists the one protocol that mill engines speak.
func (g *Game) Dialects() []game.Dialect { return []game.Dialect{dialect{}} }
