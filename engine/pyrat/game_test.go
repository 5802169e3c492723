package pyrat

import (
	"testing"

	"thera/engine/gametest"
	"thera/engine/pyrat/rules"
)

func TestPositionContract(t *testing.T) {
	gametest.Sequential(t)
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

func TestSettingsRefuse(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(r *rules.Settings, m *MazeSettings)
		path   string
	}{
		{"turns", func(r *rules.Settings, _ *MazeSettings) { r.MaxTurns = -1 }, "rules.max_turns"},
		{"timeouts", func(r *rules.Settings, _ *MazeSettings) { r.MaxTimeouts = -1 }, "rules.max_timeouts"},
		{"preprocessing", func(r *rules.Settings, _ *MazeSettings) { r.Preprocessing = -1 }, "rules.preprocessing"},
		{"postprocessing", func(r *rules.Settings, _ *MazeSettings) { r.Postprocessing = -1 }, "rules.postprocessing"},
		{"preset", func(_ *rules.Settings, m *MazeSettings) { m.Preset = "vast" }, "openings.maze.preset"},
		{"width", func(_ *rules.Settings, m *MazeSettings) { m.Width = 1 }, "openings.maze.width"},
		{"height", func(_ *rules.Settings, m *MazeSettings) { m.Height = 500 }, "openings.maze.height"},
		{"walls", func(_ *rules.Settings, m *MazeSettings) { m.Walls = 1.5 }, "openings.maze.walls"},
		{"mud", func(_ *rules.Settings, m *MazeSettings) { m.Mud = -0.5 }, "openings.maze.mud"},
		{"mud 1", func(_ *rules.Settings, m *MazeSettings) { m.MudMin = 1 }, "openings.maze.mud_min"},
		{"mud turned", func(_ *rules.Settings, m *MazeSettings) { m.MudMax = 1 }, "openings.maze.mud_max"},
		{"symmetric", func(_ *rules.Settings, m *MazeSettings) { m.Symmetric = "maybe" }, "openings.maze.symmetric"},
		{"odd cheese", func(_ *rules.Settings, m *MazeSettings) { m.Width = 20 }, "openings.maze.cheese"},
		{"cheese on a start", func(_ *rules.Settings, m *MazeSettings) { m.Cheese = 21*15 - 1 }, "openings.maze.cheese"},
		{"negative cheese", func(_ *rules.Settings, m *MazeSettings) { m.Cheese = -3 }, "openings.maze.cheese"},
	} {
		settings, openings := New().Settings()
		tt.change(settings.(*rules.Settings), &openings.(*Openings).Maze)
		g, problems := New().With(settings, openings)
		if len(problems) != 1 || g != nil || problems[0].Path != tt.path {
			t.Errorf("%s: %v", tt.name, problems)
		}
	}
}

func TestSettingsBind(t *testing.T) {
	settings, openings := New().Settings()
	settings.(*rules.Settings).MaxTurns = 77
	openings.(*Openings).Maze = MazeSettings{Preset: "tiny", Width: 10, Cheese: 20, Walls: -1, Mud: 0, MudMin: 2, MudMax: 2, Symmetric: "no"}
	g, problems := New().With(settings, openings)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	start, err := g.Start(0, 9)
	if err != nil {
		t.Fatal(err)
	}
	if move, most := g.Late(); move != "S" || most != 0 {
		t.Errorf("late moves become %s, %d times", move, most)
	}
	p := start.(*rules.Position)
	if b := p.Board(); b.Width != 10 || b.Height != 9 || p.State().Left != 20 || b.MaxTurns != 77 || p.MazeLines()[2] != "mud" {
		t.Errorf("%s", p)
	}
	if read, _ := g.Parse(small); read.(*rules.Position).Board().MaxTurns != 77 {
		t.Error("a position without max_turns does not take the rule's")
	}
}

// small is a board of 4 x 3.
const small = "maze height:3 width:4; walls (0,0)-(0,1); mud (1,0)-(2,0):3; cheese (2,0) (1,2) (3,2); player1 rat (3,2); player2 python (0,0)"

func mustParse(t testing.TB, text string) *rules.Position {
	t.Helper()
	p, err := rules.Parse(text, New().rules)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}
