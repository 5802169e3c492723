package mill_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/mill"
)

func TestRandomPlay(t *testing.T) {
	gametest.Sequential(t)
	if seen := gametest.RandomPlay(t, mill.New(), 60, 300, 3); seen < 2000 {
		t.Errorf("only %d positions seen", seen)
	}
}

func TestRules(t *testing.T) {
	g := mill.New()
	settings, openings := g.Settings()
	if diff := cmp.Diff(&mill.Rules{Flying: true, NMoveRule: 100}, settings); diff != "" || openings != nil {
		t.Errorf("settings: %s %v", diff, openings)
	}
	for _, n := range []int{9, 201, -1} {
		bound, problems := g.With(&mill.Rules{NMoveRule: n}, nil)
		if bound != nil || len(problems) != 1 || problems[0].Path != "rules.n_move_rule" {
			t.Errorf("n_move_rule %d: %v %v", n, bound, problems)
		}
	}
	grounded, problems := g.With(&mill.Rules{Flying: false, NMoveRule: 100}, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	const three = "********/OO*****O/@****@*@ w m s 3 0 3 0 0 0 0 0 0 0 0 1 29"
	if flying, walking := len(parse(t, g, three).Moves(game.First)), len(parse(t, grounded, three).Moves(game.First)); flying != 54 || walking != 3 {
		t.Errorf("three men have %d moves flying and %d walking, want 54 and 3", flying, walking)
	}
	if _, err := g.Start(1, 0); err == nil {
		t.Error("there is a second start")
	}
}

func parse(t *testing.T, g game.Game, fen string) game.Position {
	t.Helper()
	pos, err := g.Parse(fen)
	if err != nil {
		t.Fatal(err)
	}
	return pos
}
