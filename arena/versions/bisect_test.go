package versions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/arena/arenatest"
	"thera/arena/config"
	"thera/arena/session"
	"thera/arena/versions/source"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// A bisection takes the games that are stored, whichever search played them, and says
// which commit it was. One that cannot be built is between its neighbours.
func TestBisectionFindsTheCommit(t *testing.T) {
	dir, db := t.TempDir(), database(t)
	file := filepath.Join(dir, "thera.yaml")
	const text = "game: nim\nengine: {build: make, command: [$OUT/e]}\nlimit: {move: 1s}\nopenings: {random_plies: 2}\n"
	gametest.OK(t, os.WriteFile(file, []byte(text), 0o600))
	contest, err := config.LoadContest(file, nil, config.Host{Games: []game.Game{nim.New(1000)}, Dir: dir, Cores: 1})
	gametest.OK(t, err)
	var commits []source.Commit
	strength := map[string]int{}
	for i, letter := range []string{"a", "b", "c", "d", "e"} {
		commits = append(commits, source.Commit{Hash: strings.Repeat(letter, 40), Subject: letter})
		strength[commits[i].Short()] = []int{80, 80, 80, 5, 5}[i]
	}
	search := func() *Bisection {
		b, err := (&Contest{Contest: contest, Builder: &session.Builder{}, Say: func(string) {}}).NewBisection(commits)
		gametest.OK(t, err)
		return b
	}
	for _, pair := range [][2]int{{0, 4}, {0, 2}, {2, 3}} {
		plan, err := search().plan(pair[0], pair[1], 40)
		gametest.OK(t, err)
		if _, err := (&session.Runner{Plan: plan, Store: db, Worker: (&arenatest.Workers{Strength: strength}).New}).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	b := search()
	b.failed[1] = true
	answer, err := b.Run(t.Context(), Games{Store: db}, 16, 1000)
	gametest.OK(t, err)
	if answer.Commit != commits[3].Hash || answer.Games != 240 || *answer.EloHi > -50 || len(answer.Unbuilt) != 0 || len(answer.Commits) != 5 {
		t.Errorf("%+v", answer)
	}
	if row := answer.Commits[1]; row.Note == "" || row.Elo != nil || answer.Commits[3].Games != 80 {
		t.Errorf("%+v", answer.Commits)
	}
	if _, err := b.Run(t.Context(), Games{Store: db}, 16, 240); err != nil {
		t.Errorf("games are used up: %v", err)
	}
}
