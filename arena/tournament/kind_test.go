package tournament_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/tournament"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

const three = "game: nim\nengines: [{name: a, command: [go]}, {name: b, command: [go]}, {name: c, command: [go]}]\n"

func parse(t *testing.T, text string) (*arena.Plan, error) {
	t.Helper()
	return config.Parse("m.yaml", []byte(text), nil, config.Host{Games: []game.Game{nim.New()}, Dir: t.TempDir(), Cores: 2})
}

// A registered format works in match files, their schema, messages and in
// play. Nothing else lists formats.
func TestAFormatIsOneDeclaration(t *testing.T) {
	if _, err := parse(t, three+"tournament: {format: ladder}\n"); err == nil || !strings.Contains(err.Error(), `unknown format "ladder"`) {
		t.Fatalf("before it is registered: %v", err)
	}
	tournament.RegisterLadder(t)
	plan, err := parse(t, three+"tournament: {format: ladder}\n")
	gametest.OK(t, err)
	if diff := cmp.Diff(arena.Format{Name: "ladder", Rounds: 3, Pairs: true}, plan.Format); diff != "" {
		t.Error(diff)
	}
	f, err := tournament.New(plan)
	gametest.OK(t, err)
	var pairs [][2]int
	for work, state := f.Next(); state == tournament.Ready; work, state = f.Next() {
		pairs = append(pairs, [2]int{work.Pair.A, work.Pair.B})
	}
	if diff := cmp.Diff([][2]int{{0, 1}, {1, 2}, {0, 1}, {1, 2}, {0, 1}, {1, 2}}, pairs); diff != "" || f.Games() != 12 {
		t.Errorf("%d games: %s", f.Games(), diff)
	}
	_, err = parse(t, three+"tournament: {format: ladder, seeds: [a], pairs: false}\nuntil: {elo_error: 5}\n")
	want := "m.yaml:3:37: tournament.seeds: not a setting of format ladder (it is for format gauntlet)\n" +
		"m.yaml:3:49: tournament.pairs: ladder counts pairs of games from one opening, expected pairs: true\n" +
		"m.yaml:4:20: until.elo_error: not a setting of format ladder (it is for format round-robin, gauntlet)"
	if err == nil {
		t.Fatal("its settings are not checked")
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Error(diff)
	}
	schema, err := config.Schema(nil)
	gametest.OK(t, err)
	for _, part := range []string{`"ladder"`, "ladder: each engine against the next one"} {
		if !strings.Contains(string(schema), part) {
			t.Errorf("the schema has no %s", part)
		}
	}
}
