package pyrat

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"thera/engine/game"
)

// Rules are the match file's `rules`.
type Rules struct {
	MaxTurns       int           `yaml:"max_turns" doc:"turns until the game ends; 0: what the preset says, else 300"`
	MaxTimeouts    int           `yaml:"max_timeouts" doc:"late or unreadable moves that a player may make in a game, one more loses; 0: any number"`
	Preprocessing  time.Duration `yaml:"preprocessing" doc:"time to look at the maze before the first turn"`
	Postprocessing time.Duration `yaml:"postprocessing" doc:"time after the game; 0: none is offered"`
}

// Openings are the match file's `openings` of this game: how mazes are made.
type Openings struct {
	Maze Maze `yaml:"maze" doc:"how mazes are made"`
}

// Maze says how mazes are made. Zero fields are the preset's.
type Maze struct {
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

// preset is a kind of maze.
type preset struct {
	name                         string
	width, height, cheese, turns int
	walls, mud                   float64
	symmetric                    bool
}

var presets = []preset{
	{"tiny", 11, 9, 13, 150, 0.7, 0.1, true},
	{"small", 15, 13, 21, 200, 0.7, 0.1, true},
	{"medium", 21, 15, 41, 300, 0.7, 0.1, true},
	{"large", 31, 21, 85, 400, 0.7, 0.1, true},
	{"huge", 41, 31, 165, 500, 0.7, 0.1, true},
	{"open", 21, 15, 41, 300, 0, 0, true},
	{"asymmetric", 21, 15, 41, 300, 0.7, 0.1, false},
}

const (
	defaultPreset   = "medium"
	defaultMaxTurns = 300
)

// Settings returns the defaults.
func (g *Game) Settings() (rules, openings any) {
	return &Rules{Preprocessing: 3 * time.Second, Postprocessing: time.Second},
		&Openings{Maze: Maze{Preset: defaultPreset, Walls: -1, Mud: -1, MudMin: 2, MudMax: 3, Symmetric: "preset"}}
}

// With binds settings.
func (g *Game) With(rules, openings any) (game.Game, []game.Problem) {
	next := &Game{rules: g.rules, plan: g.plan}
	var problems []game.Problem
	wrong := func(path, format string, args ...any) {
		problems = append(problems, game.Problem{Path: path, Err: fmt.Errorf(format, args...)})
	}
	if r, ok := rules.(*Rules); ok && r != nil {
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
		plan, found := o.Maze.plan(wrong)
		if found {
			next.plan = plan
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return next, nil
}

// plan is what a maze is made by, complete and checked.
type plan struct {
	preset
	mudMin, mudMax int
}

func presetPlan(name string) plan {
	at := slices.IndexFunc(presets, func(p preset) bool { return p.name == name })
	return plan{presets[at], 2, 3}
}

// plan fills what is left to the preset and reports what cannot be.
func (m Maze) plan(wrong func(path, format string, args ...any)) (plan, bool) {
	const path = "openings.maze."
	name := m.Preset
	if name == "" {
		name = defaultPreset
	}
	at := slices.IndexFunc(presets, func(p preset) bool { return p.name == name })
	if at < 0 {
		var known []string
		for _, p := range presets {
			known = append(known, p.name)
		}
		wrong(path+"preset", "%q: want one of %s", name, strings.Join(known, ", "))
		return plan{}, false
	}
	p := plan{presets[at], m.MudMin, m.MudMax}
	good := true
	refuse := func(field, format string, args ...any) {
		good = false
		wrong(path+field, format, args...)
	}
	side := func(field string, value int, into *int) {
		if value == 0 {
			return
		}
		if *into = value; value < 2 || value > maxSide {
			refuse(field, "%d: want 2 to %d", value, maxSide)
		}
	}
	side("width", m.Width, &p.width)
	side("height", m.Height, &p.height)
	share := func(field string, value float64, into *float64) {
		if value == -1 {
			return
		}
		if *into = value; !(value >= 0 && value <= 1) {
			refuse(field, "%v: want 0 to 1", value)
		}
	}
	share("walls", m.Walls, &p.walls)
	share("mud", m.Mud, &p.mud)
	if p.mudMin < 2 || p.mudMin > maxMud {
		refuse("mud_min", "%d: want 2 to %d", p.mudMin, maxMud)
	}
	if p.mudMax < p.mudMin || p.mudMax > maxMud {
		refuse("mud_max", "%d: want %d (mud_min) to %d", p.mudMax, p.mudMin, maxMud)
	}
	switch m.Symmetric {
	case "", "preset":
	case "yes", "no":
		p.symmetric = m.Symmetric == "yes"
	default:
		refuse("symmetric", "%q: want preset, yes or no", m.Symmetric)
	}
	if m.Cheese != 0 {
		p.cheese = m.Cheese
	}
	if good {
		if err := p.check(); err != nil {
			refuse("cheese", "%w", err)
		}
	}
	return p, good
}

// check says whether the cheese fits on the board.
func (p plan) check() error {
	most := p.width*p.height - 2 // none on the starts
	if p.cheese < 1 || p.cheese > most {
		return fmt.Errorf("%d: want 1 to %d on a board of %d x %d", p.cheese, most, p.width, p.height)
	}
	if odd := p.width%2 == 1 && p.height%2 == 1; p.symmetric && p.cheese%2 == 1 && !odd {
		return fmt.Errorf("%d: an odd number cannot be symmetric on a board of %d x %d", p.cheese, p.width, p.height)
	}
	return nil
}
