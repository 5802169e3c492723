package pyrat

import (
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
)

// small is a board of 4 x 3 for tests.
const small = "maze height:3 width:4; walls (0,0)-(0,1); mud (1,0)-(2,0):3; cheese (2,0) (1,2) (3,2); player1 rat (3,2); player2 python (0,0)"

func TestParseRefuses(t *testing.T) {
	good := small + "; max_turns 10; turn 1; score rat:0.5 python:1; mud_timers rat:0 python:0; mud_targets rat:- python:-"
	if text := mustParse(t, good).String(); text != good {
		t.Fatalf("%s reads back as %s", good, text)
	}
	for _, tt := range []struct{ old, new, want string }{
		{"height:3", "height:1", "field 1: maze height 1: want 2 to 128"},
		{"width:4", "width:129", "maze width 129"},
		{"width:4", "width:x", `maze width "x": want a whole number`},
		{"height:3 width:4", "width:4 height:3", "want height:… width:…"},
		{"walls (0,0)-(0,1)", "walls (0,0)-(0,2)", "field 2: wall (0,0)-(0,2): these cells are no neighbours"},
		{"walls (0,0)-(0,1)", "walls (0,0)-(0,0)", "no neighbours"},
		{"walls (0,0)-(0,1)", "walls (3,0)-(4,0)", "(4,0): off the board of 4 x 3"},
		{"walls (0,0)-(0,1)", "walls (0,0)", "want (x,y)-(x,y)"},
		{"walls (0,0)-(0,1)", "walls (0, 0)-(0,1)", "want (x,y)"},
		{"mud (1,0)-(2,0):3", "mud (1,0)-(2,0):1", "field 3: mud (1,0)-(2,0):1: want 2 to 1000"},
		{"mud (1,0)-(2,0):3", "mud (1,0)-(2,0)", "want (x,y)-(x,y):N"},
		{"mud (1,0)-(2,0):3", "mud (1,0)-(3,0):3", "no neighbours"},
		{"mud (1,0)-(2,0):3", "mud (1,0)-(1,-1):3", `y "-1"`},
		{"mud (1,0)-(2,0):3", "mud (1,0)-(2,0):3 (2,0)-(1,0):4", "already has the value 3"},
		{"cheese (2,0)", "cheese (1,2)", "cheese (1,2): two on one cell"},
		{"cheese (2,0)", "cheese (2,3)", "cheese (2,3): off the board"},
		{"walls (0,0)-(0,1)", "walls (1,2)-(0,2) (1,2)-(2,2) (1,2)-(1,1)", "cheese (1,2): neither side can reach it"},
		{"rat (3,2)", "rat (4,2)", "player1 (4,2): off the board"},
		{"player1 rat", "player1 python", "want player1 rat (x,y)"},
		{"; player2 python (0,0)", "", "no player2 line"},
		{"walls (0,0)-(0,1); ", "", "no walls line"},
		{"cheese (2,0)", "cheese (2,0); cheese (2,0)", "cheese is given twice"},
		{"max_turns 10", "max_turns 0", "max_turns 0: want 1 or more"},
		{"turn 1", "turn -1", `turn "-1": want a whole number`},
		{"rat:0.5", "rat:0.3", "score rat:0.3: want whole or half points"},
		{"rat:0.5", "rat:NaN", "score rat:NaN"},
		{"mud_timers rat:0", "mud_timers rat:2", "mud_timers rat:2: it needs a target"},
		{"mud_targets rat:-", "mud_targets rat:(3,1)", "its timer is 0"},
		{"python:0; mud_targets rat:- python:-", "python:2; mud_targets rat:- python:(1,0)", "no mud of at least 2 leads there from (0,0)"},
		{"turn 1", "turns 1", `field 8, "turns 1": want maze`},
	} {
		text := strings.Replace(good, tt.old, tt.new, 1)
		if text == good {
			t.Fatalf("%q is not in the good text", tt.old)
		}
		if p, err := New().Parse(text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q for %q: %v, %v; want %q", tt.new, tt.old, p, err, tt.want)
		}
	}
	if _, err := New().Parse("walls; maze height:3 width:4"); err == nil || !strings.Contains(err.Error(), "walls before maze") {
		t.Errorf("walls first: %v", err)
	}
	for _, text := range []string{"", ";", "\x00", strings.Repeat(";", 1000)} {
		if _, err := New().Parse(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// TestParseAccepts what the generator would not make.
func TestParseAccepts(t *testing.T) {
	for _, text := range []string{
		"maze height:2 width:2; walls; mud; cheese (0,0) (1,1) (0,1); player1 rat (0,0); player2 python (0,0)",
		"maze height:2 width:2; walls (0,0)-(1,0) (1,0)-(0,0); mud (0,0)-(1,0):3; cheese (0,0); player1 rat (0,0); player2 python (0,0)",
		"maze height:2 width:2; walls; mud; cheese; player1 rat (0,0); player2 python (1,1)",
		" maze  height:2\twidth:2;walls;mud;cheese (0,1);player1 rat (0,0);player2 python (1,1)",
	} {
		if _, err := New().Parse(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestPositionContract(t *testing.T) {
	for _, preset := range []string{"tiny", "medium", "open", "asymmetric"} {
		_, openings := New().Settings()
		openings.(*Openings).Maze.Preset = preset
		g, problems := New().With(nil, openings)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if n := gametest.RandomPlay(t, g, 3, 120, 5); n < 360 {
			t.Errorf("%s: %d positions", preset, n)
		}
	}
}

func TestPlayRefuses(t *testing.T) {
	p := mustParse(t, small)
	for _, tt := range []struct {
		turn game.Turn
		seat game.Seat
	}{{game.Turn{"U", ""}, game.Second}, {game.Turn{"UP", "S"}, game.First}, {game.Turn{"s", "S"}, game.First}} {
		_, err := p.Play(tt.turn)
		illegal, ok := err.(*game.Illegal)
		if !ok || illegal.Seat != tt.seat {
			t.Errorf("%v: %v", tt.turn, err)
		}
	}
	over := mustParse(t, small+"; score rat:4 python:0")
	if _, err := over.Play(game.Turn{"S", "S"}); err == nil || !strings.Contains(err.Error(), "game over") {
		t.Errorf("a turn after the end: %v", err)
	}
}

func TestSettingsRefuse(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(r *Rules, m *Maze)
		path   string
	}{
		{"turns", func(r *Rules, _ *Maze) { r.MaxTurns = -1 }, "rules.max_turns"},
		{"timeouts", func(r *Rules, _ *Maze) { r.MaxTimeouts = -1 }, "rules.max_timeouts"},
		{"preprocessing", func(r *Rules, _ *Maze) { r.Preprocessing = -1 }, "rules.preprocessing"},
		{"postprocessing", func(r *Rules, _ *Maze) { r.Postprocessing = -1 }, "rules.postprocessing"},
		{"preset", func(_ *Rules, m *Maze) { m.Preset = "vast" }, "openings.maze.preset"},
		{"width", func(_ *Rules, m *Maze) { m.Width = 1 }, "openings.maze.width"},
		{"height", func(_ *Rules, m *Maze) { m.Height = 500 }, "openings.maze.height"},
		{"walls", func(_ *Rules, m *Maze) { m.Walls = 1.5 }, "openings.maze.walls"},
		{"mud", func(_ *Rules, m *Maze) { m.Mud = -0.5 }, "openings.maze.mud"},
		{"mud 1", func(_ *Rules, m *Maze) { m.MudMin = 1 }, "openings.maze.mud_min"},
		{"mud turned", func(_ *Rules, m *Maze) { m.MudMax = 1 }, "openings.maze.mud_max"},
		{"symmetric", func(_ *Rules, m *Maze) { m.Symmetric = "maybe" }, "openings.maze.symmetric"},
		{"odd cheese", func(_ *Rules, m *Maze) { m.Width = 20 }, "openings.maze.cheese"},
		{"cheese on a start", func(_ *Rules, m *Maze) { m.Cheese = 21*15 - 1 }, "openings.maze.cheese"},
		{"negative cheese", func(_ *Rules, m *Maze) { m.Cheese = -3 }, "openings.maze.cheese"},
	} {
		rules, openings := New().Settings()
		tt.change(rules.(*Rules), &openings.(*Openings).Maze)
		g, problems := New().With(rules, openings)
		if len(problems) != 1 || g != nil || problems[0].Path != tt.path {
			t.Errorf("%s: %v", tt.name, problems)
		}
	}
}

func TestSettingsBind(t *testing.T) {
	rules, openings := New().Settings()
	rules.(*Rules).MaxTurns = 77
	openings.(*Openings).Maze = Maze{Preset: "tiny", Width: 10, Cheese: 20, Walls: -1, Mud: 0, MudMin: 2, MudMax: 2, Symmetric: "no"}
	g, problems := New().With(rules, openings)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	start, err := g.Start(0, 9)
	if err != nil {
		t.Fatal(err)
	}
	p := start.(*position)
	if p.board.width != 10 || p.board.height != 9 || p.left != 20 || p.board.maxTurns != 77 || len(p.board.muds) != 0 {
		t.Errorf("%s", p)
	}
	if read, _ := g.Parse(small); read.(*position).board.maxTurns != 77 {
		t.Error("a position without max_turns does not take the rule's")
	}
}

func TestCount(t *testing.T) {
	p := mustParse(t, "maze height:2 width:2; walls; mud; cheese (0,1); player1 rat (0,0); player2 python (1,1)")
	// Of the 25 first turns those end the game that bring a player to (0,1):
	// rat U (5), python L (5), both once.
	for depth, want := range []uint64{1, 25, 16 * 25} {
		got, err := p.Count(t.Context(), depth)
		if err != nil || got != want {
			t.Errorf("depth %d: %d, %v; want %d", depth, got, err, want)
		}
	}
	var walk func(p game.Position) uint64
	var depth int
	walk = func(p game.Position) uint64 {
		if depth == 0 {
			return 1
		}
		n := uint64(0)
		for _, turn := range game.TurnsFrom(p) {
			next, err := p.Play(turn)
			if err != nil {
				t.Fatal(err)
			}
			depth--
			n += walk(next)
			depth++
		}
		return n
	}
	q := mustParse(t, small)
	depth = 3
	want := walk(q)
	if got, err := q.Count(t.Context(), 3); err != nil || got != want {
		t.Errorf("counted %d by rules, %d by Play", got, want)
	}
}

func TestDraw(t *testing.T) {
	p := mustParse(t, small+"; turn 3; score rat:0.5 python:1")
	want := `turn 3 of 300   R rat 0.5   P python 1   3 cheese left
last turn U/L
    +---+---+---+---+
  2 |     *       r |
    +   +   +   +   +
  1 |               |
    +---+   +   +   +
  0 | P     : *     |
    +---+---+---+---+
      0   1   2   3 
`
	if got := p.Draw(game.Turn{"U", "L"}, false); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if colour := p.Draw(game.Turn{}, true); !strings.Contains(colour, "\x1b[32mP\x1b[0m") {
		t.Errorf("no colours in %q", colour)
	}
}
