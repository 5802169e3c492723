// Package mill binds Nine Men's Morris: its settings, and the tables that they name.
//
// The rules are in package rules, the client and server of the UCI-like protocol in package
// protocol, the search and the endgame tables in package player and below it.
package mill

import (
	"fmt"

	"thera/engine/game"
	"thera/engine/mill/player/tables"
	"thera/engine/mill/protocol"
	"thera/engine/mill/rules"
)

// Rules are the settings under rules in a match file.
type Rules struct {
	Flying    bool   `yaml:"flying" doc:"a side with exactly three men and none in hand may move to any empty point"`
	NMoveRule int    `yaml:"n_move_rule" doc:"draw after this many plies without a placing or removal, 10 to 200"`
	Tables    string `yaml:"tables" doc:"folder of endgame tables made by thera engine mill tables, for adjudicate.tables"`
}

// Game is Nine Men's Morris with its rules.
type Game struct {
	rules  rules.Rules
	tables *tables.Tables // nil without
}

var (
	_ game.Game   = (*Game)(nil)
	_ game.Prover = (*Game)(nil)
)

// New returns the game with default rules.
func New() *Game { return &Game{rules: rules.Default()} }

// Name returns "mill".
func (g *Game) Name() string { return "mill" }

// Settings returns default Rules. Mill has no openings.
func (g *Game) Settings() (settings, openings any) {
	r := rules.Default()
	return &Rules{Flying: r.Flying, NMoveRule: r.QuietPlies}, nil
}

// With returns the game with other rules, and reads the tables they name.
func (g *Game) With(settings, openings any) (game.Game, []game.Problem) {
	r, ok := settings.(*Rules)
	if !ok || openings != nil {
		return nil, []game.Problem{{Path: "rules", Err: fmt.Errorf("settings of type %T and %T are not mill's", settings, openings)}}
	}
	if r.NMoveRule < 10 || r.NMoveRule > 200 {
		return nil, []game.Problem{{Path: "rules.n_move_rule", Err: fmt.Errorf("%d plies: want 10 to 200", r.NMoveRule)}}
	}
	with := &Game{rules: rules.Rules{Flying: r.Flying, QuietPlies: r.NMoveRule}}
	if r.Tables != "" {
		var err error
		if with.tables, err = tables.LoadAll(r.Tables, r.Flying); err != nil {
			return nil, []game.Problem{{Path: "rules.tables", Err: err}}
		}
	}
	return with, nil
}

// Starts returns 1: the empty board.
func (g *Game) Starts() int { return 1 }

// Start returns the empty board with white to place.
func (g *Game) Start(i int, _ uint64) (game.Position, error) {
	if i != 0 {
		return nil, fmt.Errorf("start %d: mill has one start", i)
	}
	return rules.Start(g.rules), nil
}

// Parse reads a position of seventeen fields.
func (g *Game) Parse(text string) (game.Position, error) {
	p, err := rules.Parse(g.rules, text)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Late is "": a late move loses.
func (g *Game) Late() (move string, most int) { return "", 0 }

// Dialects returns the one protocol that mill engines speak.
func (g *Game) Dialects() []game.Dialect { return []game.Dialect{protocol.Dialect{}} }

// Proven returns the outcome of a position that the rules' tables know.
func (g *Game) Proven(pos game.Position) (game.Outcome, bool) {
	p, ok := pos.(*rules.Position)
	if !ok || g.tables == nil {
		return game.Outcome{}, false
	}
	return g.tables.Proven(p)
}

// Player is the built-in engine.
func Player() game.Player { return protocol.Player{} }
