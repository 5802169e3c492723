package mill_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/mill"
	"thera/engine/mill/player/tables"
	"thera/engine/mill/rules"
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

// tableFolder is a folder with the table of three men against three.
func tableFolder(t *testing.T) string {
	t.Helper()
	folder, made := t.TempDir(), tables.New(true)
	if _, err := made.Solve(context.Background(), 3, 3); err != nil {
		t.Fatal(err)
	}
	if _, err := made.Save(folder, 3, 3); err != nil {
		t.Fatal(err)
	}
	return folder
}

// wonEnding is a win in 21 turns.
const wonEnding = "O@OO***@/*@******/******** w m s 3 0 3 0 0 0 0 0 0 0 0 0 50"

// The tables that the rules name prove outcomes.
func TestProven(t *testing.T) {
	gametest.Sequential(t)
	settings := mill.Rules{Flying: true, NMoveRule: 100, Tables: t.TempDir()}
	if _, problems := mill.New().With(&settings, nil); len(problems) != 1 || problems[0].Path != "rules.tables" {
		t.Errorf("problems %v", problems)
	}
	settings.Tables = tableFolder(t)
	bound, problems := mill.New().With(&settings, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for fen, want := range map[string]bool{wonEnding: true, rules.StartFEN: false} {
		pos, err := bound.Parse(fen)
		if err != nil {
			t.Fatal(err)
		}
		if outcome, ok := bound.(game.Prover).Proven(pos); ok != want || ok && outcome.Winner != game.First {
			t.Errorf("%s: %+v %v, want proven %v", fen, outcome, ok, want)
		}
		if _, ok := mill.New().Proven(pos); ok {
			t.Errorf("%s: proven without tables", fen)
		}
	}
}
