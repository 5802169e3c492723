// Package gyges binds the game Gyges: six by six squares, twelve pieces that belong
// to no side, and a goal behind each home row.
//
// Boards, positions and moves are in package rules, client and server of UGI in package
// protocol, the built-in engine in package player.
package gyges

import (
	"fmt"
	"math/rand/v2"

	"thera/engine/game"
	ugi "thera/engine/gyges/protocol"
	"thera/engine/gyges/rules"
	"thera/engine/protocol"
)

// Openings are the game's settings under `openings`.
type Openings struct {
	Layout    string `yaml:"layout" doc:"start, bench, test, or 36 digits in six rows parted by slashes"`
	Placement string `yaml:"placement" doc:"random: each side's first row is drawn from its 90 arrangements, instead of layout" enum:"layout,random"`
}

// Gyges is the game bound to its settings.
type Gyges struct {
	rules     rules.Settings
	start     rules.Board
	placement bool // starts are random placements
}

// New returns the game with default settings: a side that cannot move loses, a
// game of 500 plies is a draw, and it starts from the standard layout.
func New() *Gyges {
	g := &Gyges{rules: rules.Default()}
	g.start, _ = rules.ParseBoard(rules.LayoutStart, 12)
	return g
}

// Name is "gyges".
func (g *Gyges) Name() string { return "gyges" }

// Settings returns *rules.Settings and *Openings with their defaults.
func (g *Gyges) Settings() (settings, openings any) {
	r := rules.Default()
	return &r, &Openings{Layout: "start", Placement: "layout"}
}

// With binds rules and openings.
func (g *Gyges) With(settings, openings any) (game.Game, []game.Problem) {
	bound := New()
	var problems []game.Problem
	problem := func(path, format string, args ...any) {
		problems = append(problems, game.Problem{Path: path, Err: fmt.Errorf(format, args...)})
	}
	if r, ok := settings.(*rules.Settings); ok && r != nil {
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

// Starts is 1: random placements differ by seed.
func (g *Gyges) Starts() int { return 1 }

// Start is the layout of the openings, or a random placement drawn from seed.
func (g *Gyges) Start(i int, seed uint64) (game.Position, error) {
	if i != 0 {
		return nil, fmt.Errorf("gyges has 1 start, there is no start %d", i)
	}
	board := g.start
	if g.placement {
		board = rules.RandomPlacement(rand.New(rand.NewPCG(seed, 0x67796765)))
	}
	return g.rules.NewPosition(board, game.First), nil
}

// Parse reads a position.
func (g *Gyges) Parse(text string) (game.Position, error) {
	p, err := g.rules.Parse(text)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Late is "": a late move loses.
func (g *Gyges) Late() (move string, most int) { return "", 0 }

// Dialects lists UGI, the only protocol that Gyges engines speak.
func (g *Gyges) Dialects() []game.Dialect { return []game.Dialect{ugi.Dialect{}} }

// Player is the built-in engine.
func Player() game.Player { return ugi.Player{} }
