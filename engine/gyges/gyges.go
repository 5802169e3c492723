// Package gyges is the game Gyges: six by six squares, twelve pieces that
// belong to nobody, and a goal behind each home row. It holds the rules, the
// notation, the UGI dialect in both directions, and a player.
//
// The rules are written down in rules.md, what of the protocol is done and
// proven where in PROTOCOL.md. The package knows no arena, no processes and no
// clocks; it refuses to guess: a text that is not exactly a layout, a move or a
// position is an error that names the place.
package gyges

import (
	"fmt"
	"math/rand/v2"

	"thera/engine/game"
	"thera/engine/gyges/rules"
	"thera/engine/protocol"
)

// Rules are the settings under `rules` of a match file.
type Rules struct {
	NoMove   string `yaml:"no_move" doc:"what a side without a legal move gets" enum:"loss,draw"`
	MaxPlies int    `yaml:"max_plies" doc:"a game of so many plies is a draw; 0: no cap"`
}

// Openings are the settings under `openings` that are the game's own.
type Openings struct {
	Layout    string `yaml:"layout" doc:"start, bench, test, or 36 digits in six rows parted by slashes"`
	Placement string `yaml:"placement" doc:"random: each side's first row is drawn from its 90 arrangements, instead of layout" enum:"layout,random"`
}

// Gyges is the game bound to its settings.
type Gyges struct {
	rules     Rules
	start     rules.Board
	placement bool // starts are random placements
}

// New is the game with default settings: a side that can't move loses, a game
// of 500 plies is a draw, and it starts from the standard layout.
func New() *Gyges {
	g := &Gyges{rules: Rules{NoMove: "loss", MaxPlies: 500}}
	g.start, _ = rules.ParseBoard(rules.LayoutStart, 12)
	return g
}

// Name is "gyges".
func (g *Gyges) Name() string { return "gyges" }

// Settings returns *Rules and *Openings with their defaults.
func (g *Gyges) Settings() (rules, openings any) {
	return &Rules{NoMove: "loss", MaxPlies: 500}, &Openings{Layout: "start", Placement: "layout"}
}

// With binds rules and openings.
func (g *Gyges) With(rules, openings any) (game.Game, []game.Problem) {
	bound := New()
	var problems []game.Problem
	problem := func(path, format string, args ...any) {
		problems = append(problems, game.Problem{Path: path, Err: fmt.Errorf(format, args...)})
	}
	if r, ok := rules.(*Rules); ok && r != nil {
		bound.rules = *r
		if r.NoMove != "loss" && r.NoMove != "draw" {
			problem("rules.no_move", "%q: want loss or draw", r.NoMove)
		}
		if r.MaxPlies < 0 {
			problem("rules.max_plies", "%d: want 0 or more", r.MaxPlies)
		}
	}
	if o, ok := openings.(*Openings); ok && o != nil {
		switch o.Placement {
		case "random":
			bound.placement = true
			if o.Layout != "" && o.Layout != "start" {
				problem("openings.layout", "%q: a random placement has no layout", protocol.Clip(o.Layout))
			}
		case "layout", "":
		default:
			problem("openings.placement", "%q: want layout or random", protocol.Clip(o.Placement))
		}
		if o.Layout != "" {
			board, err := readLayout(o.Layout)
			if err != nil {
				problem("openings.layout", "%w", err)
			}
			bound.start = board
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return bound, nil
}

// readLayout reads a named layout or the digits of twelve pieces.
func readLayout(text string) (rules.Board, error) {
	if named, ok := rules.NamedLayout(text); ok {
		text = named
	}
	return rules.ParseBoard(text, 12)
}

// Starts is 1: a random placement is drawn anew from each seed.
func (g *Gyges) Starts() int { return 1 }

// Start is the layout of the openings, or a random placement: each side's
// home row is one of the 90 arrangements of two pieces of each value, drawn
// from seed alone.
func (g *Gyges) Start(i int, seed uint64) (game.Position, error) {
	if i != 0 {
		return nil, fmt.Errorf("gyges has 1 start, there is no start %d", i)
	}
	board := g.start
	if g.placement {
		board = rules.RandomPlacement(rand.New(rand.NewPCG(seed, 0x67796765)))
	}
	return g.newPosition(board, game.First), nil
}

// Dialects lists UGI, the only protocol that Gyges engines speak.
func (g *Gyges) Dialects() []game.Dialect { return []game.Dialect{dialect{}} }
