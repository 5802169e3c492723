// Package pyrat binds PyRat: a rat and a python in a maze, who move at the same time.
//
// Mazes, turns and replays are in package rules, the host's side of the text protocol and
// the engine's in package protocol, bots over TCP in package protocol/tcp, the built-in
// engine in package player.
package pyrat

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"thera/engine/game"
	"thera/engine/pyrat/protocol"
	"thera/engine/pyrat/protocol/tcp"
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
	g := &Game{rules: rules.Default()}
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

// Late is STAY, as often as max_timeouts says.
func (g *Game) Late() (move string, most int) { return rules.Stay.Letter(), g.rules.MaxTimeouts }

// Dialects are the text protocol, and that of bots over TCP.
func (g *Game) Dialects() []game.Dialect {
	return []game.Dialect{protocol.Dialect{}, tcp.NewDialect()}
}

// Manifest is the file of a bot over TCP.
func (g *Game) Manifest() string { return tcp.Manifest }

// ReadManifest reads it.
func (g *Game) ReadManifest(text []byte) (game.Package, error) { return tcp.ReadManifest(text) }

// Adapter is that of bots over TCP.
func (g *Game) Adapter(protocol string) []string {
	if protocol != (tcp.Dialect{}).Name() {
		return nil
	}
	return []string{tcp.Flag}
}

// Player is the built-in engine.
func Player() game.Player { return player{} }

type player struct{ protocol.Player }

// Serve is also the adapter of bots over TCP.
func (p player) Serve(ctx context.Context, args []string, in io.Reader, out, log io.Writer) error {
	if len(args) > 0 && args[0] == tcp.Flag {
		return tcp.Serve(args[1:], in, out, log)
	}
	return p.Player.Serve(ctx, args, in, out, log)
}

// Formats is the one format of replays.
func (g *Game) Formats() []string { return []string{"pyrat"} }

// Write is a game as .pyrat text.
func (g *Game) Write(_ string, history *game.History, head game.Heading) ([]byte, error) {
	return rules.WriteReplay(history, head)
}

// Read reads .pyrat text.
func (g *Game) Read(_ string, text []byte) (*game.History, error) {
	return rules.ReadReplay(text, g.rules)
}

// Openings are the match file's `openings` of this game: how mazes are made.
type Openings struct {
	Maze MazeSettings `yaml:"maze" doc:"how mazes are made"`
}

// MazeSettings says how mazes are made. Zero fields are the preset's.
type MazeSettings struct {
	Preset    string  `yaml:"preset" doc:"a kind of maze by name" enum:"tiny,small,medium,large,huge,open,asymmetric"`
	Width     int     `yaml:"width" doc:"columns; 0: the preset's"`
	Height    int     `yaml:"height" doc:"rows; 0: the preset's"`
	Cheese    int     `yaml:"cheese" doc:"pieces of cheese; 0: the preset's"`
	Walls     float64 `yaml:"walls" doc:"share of passages tried as walls, 0 to 1; -1: the preset's"`
	Mud       float64 `yaml:"mud" doc:"share of open passages with mud, 0 to 1; -1: the preset's"`
	MudMin    int     `yaml:"mud_min" doc:"least value of mud"`
	MudMax    int     `yaml:"mud_max" doc:"greatest value of mud"`
	Symmetric string  `yaml:"symmetric" doc:"the same maze for both sides" enum:"preset,yes,no"`
}

const defaultPreset = "medium"

// Settings returns the defaults.
func (g *Game) Settings() (settings, openings any) {
	r := rules.Default()
	return &r, &Openings{Maze: MazeSettings{Preset: defaultPreset, Walls: -1, Mud: -1, MudMin: 2, MudMax: 3, Symmetric: "preset"}}
}

// With binds what Settings returned.
func (g *Game) With(settings, openings any) (game.Game, []game.Problem) {
	next := &Game{rules: g.rules, plan: g.plan}
	var problems []game.Problem
	wrong := func(path, format string, args ...any) {
		problems = append(problems, game.Problem{Path: path, Err: fmt.Errorf(format, args...)})
	}
	if r, ok := settings.(*rules.Settings); ok && r != nil {
		if r.MaxTurns < 0 || r.MaxTurns > 1e6 {
			wrong("rules.max_turns", "%d: want 0 to 1000000", r.MaxTurns)
		}
		if r.MaxTimeouts < 0 {
			wrong("rules.max_timeouts", "%d: want 0 or more", r.MaxTimeouts)
		}
		if r.Preprocessing < 0 || r.Preprocessing > time.Hour {
			wrong("rules.preprocessing", "%s: want 0s to 1h", r.Preprocessing)
		}
		if r.Postprocessing < 0 || r.Postprocessing > time.Hour {
			wrong("rules.postprocessing", "%s: want 0s to 1h", r.Postprocessing)
		}
		next.rules = *r
	}
	if o, ok := openings.(*Openings); ok && o != nil {
		if plan, ok := o.Maze.plan(wrong); ok {
			next.plan = plan
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return next, nil
}

// plan takes what is left open from the preset and reports what is wrong.
func (m MazeSettings) plan(wrong func(path, format string, args ...any)) (rules.Plan, bool) {
	const path = "openings.maze."
	name := cmp.Or(m.Preset, defaultPreset)
	p, ok := rules.Preset(name)
	if !ok {
		wrong(path+"preset", "%q: want one of %s", name, strings.Join(rules.Presets(), ", "))
		return p, false
	}
	p.MudMin, p.MudMax = m.MudMin, m.MudMax
	good := true
	refuse := func(field, format string, args ...any) {
		good = false
		wrong(path+field, format, args...)
	}
	side := func(field string, value int, into *int) {
		if value == 0 {
			return
		}
		if *into = value; value < 2 || value > rules.MaxSide {
			refuse(field, "%d: want 2 to %d", value, rules.MaxSide)
		}
	}
	side("width", m.Width, &p.Width)
	side("height", m.Height, &p.Height)
	share := func(field string, value float64, into *float64) {
		if value == -1 {
			return
		}
		if *into = value; !(value >= 0 && value <= 1) {
			refuse(field, "%v: want 0 to 1", value)
		}
	}
	share("walls", m.Walls, &p.Walls)
	share("mud", m.Mud, &p.Mud)
	if p.MudMin < 2 || p.MudMin > rules.MaxMud {
		refuse("mud_min", "%d: want 2 to %d", p.MudMin, rules.MaxMud)
	}
	if p.MudMax < p.MudMin || p.MudMax > rules.MaxMud {
		refuse("mud_max", "%d: want %d (mud_min) to %d", p.MudMax, p.MudMin, rules.MaxMud)
	}
	switch m.Symmetric {
	case "", "preset":
	case "yes", "no":
		p.Symmetric = m.Symmetric == "yes"
	default:
		refuse("symmetric", "%q: want preset, yes or no", m.Symmetric)
	}
	if m.Cheese != 0 {
		p.Cheese = m.Cheese
	}
	if good {
		if err := p.Check(); err != nil {
			refuse("cheese", "%w", err)
		}
	}
	return p, good
}
