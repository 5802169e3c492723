package versions

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/arena/config"
	"thera/arena/report"
	"thera/arena/session"
	"thera/arena/store"
	"thera/arena/versions/source"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// prepare reads a file by which versions play nim from a heap, opens a database for their games,
// and keeps what is said.
func prepare(t *testing.T, heap int, text string) (c *Contest, db *store.Store, said *strings.Builder) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "thera.yaml")
	gametest.OK(t, os.WriteFile(file, []byte(text+"limit: {move: 1s}\n"), 0o600))
	contest, err := config.LoadContest(file, nil, config.Host{Games: []game.Game{nim.New(heap)}, Dir: dir, Cores: 1})
	gametest.OK(t, err)
	db, err = store.Open(t.Context(), filepath.Join(dir, "thera.db"))
	gametest.OK(t, err)
	t.Cleanup(func() { gametest.OK(t, db.Close()) })
	said = &strings.Builder{}
	say := func(text string) { said.WriteString(text) }
	return &Contest{Contest: contest, Builder: &session.Builder{}, Say: say}, db, said
}

// A bisection takes the games that are stored, whichever search played them, and says
// which commit it was. One that cannot be built is between its neighbours.
func TestBisectionFindsTheCommit(t *testing.T) {
	const text = "game: nim\nengine: {build: make, command: [$OUT/e]}\nopenings: {random_plies: 2}\n"
	contest, db, _ := prepare(t, 1000, text)
	var commits []source.Commit
	workers := &arenatest.Workers{Strength: map[string]int{}}
	for i, letter := range []string{"a", "b", "c", "d", "e"} {
		commits = append(commits, source.Commit{Hash: strings.Repeat(letter, 40)})
		workers.Strength[commits[i].Short()] = []int{80, 80, 80, 5, 5}[i]
	}
	b, err := contest.NewBisection(commits)
	gametest.OK(t, err)
	for _, pair := range [][2]int{{0, 4}, {0, 2}, {2, 3}} {
		plan, err := b.plan(pair[0], pair[1], 40)
		gametest.OK(t, err)
		_, err = (&session.Runner{Plan: plan, Store: db, Worker: workers.New}).Run(t.Context())
		gametest.OK(t, err)
	}
	b.failed[1] = true
	answer, err := b.Run(t.Context(), Games{Store: db}, 16, 1000)
	gametest.OK(t, err)
	rows := answer.Commits
	if answer.Commit != commits[3].Hash || *answer.Elo > -250 || rows[1].Note == "" || rows[3].Games != 80 {
		t.Errorf("%+v, %v Elo", answer, *answer.Elo)
	}
}

// A bisection that learns nothing ends after as many games as it may play.
func TestBisectionEnds(t *testing.T) {
	contest, db, _ := prepare(t, 1000, "game: nim\nengine: {build: make, command: [$OUT/e]}\nopenings: {random_plies: 2}\n")
	b, err := contest.NewBisection([]source.Commit{{Hash: strings.Repeat("a", 40)}, {Hash: strings.Repeat("b", 40)}, {Hash: strings.Repeat("c", 40)}})
	gametest.OK(t, err)
	for _, pair := range [][2]int{{0, 1}, {1, 2}} {
		plan, err := b.plan(pair[0], pair[1], 8)
		gametest.OK(t, err)
		_, err = (&session.Runner{Plan: plan, Store: db, Worker: new(arenatest.Workers).New}).Run(t.Context())
		gametest.OK(t, err)
	}
	answer, err := b.Run(t.Context(), Games{Store: db}, 8, 32) // it plays none: there is no such commit
	if gametest.OK(t, err); answer.Commit != "" || answer.Games != 32 {
		t.Errorf("%d games, %q", answer.Games, answer.Commit)
	}
}

// A tuning that was cut off plays what is not stored.
func TestTuningResumes(t *testing.T) {
	contest, db, said := prepare(t, 21, `
game: nim
engine: {command: [sh], options: {a: 2}}
sprt: {elo0: 0, elo1: 200}
tune:
  iterations: 12
  pairs: 2
  options: [{name: a, start: 2, min: 0, max: 9, c_end: 1, r_end: 0.5}]
`)
	workers := &arenatest.Workers{Strength: map[string]int{"plus": 50, "minus": 60, "tuned": 95, "old": 20}}
	errCut := errors.New("cut off")
	run := func(most int) (answer *report.Tuning, steps int, err error) {
		tuning, err := contest.NewTuning(t.Context())
		gametest.OK(t, err)
		play := func(plan *arena.Plan, step bool) (*arena.Summary, error) {
			if step && steps == most {
				return nil, errCut
			}
			if step {
				steps++
			}
			return (&session.Runner{Plan: plan, Store: db, Worker: workers.New}).Run(t.Context())
		}
		answer, err = tuning.Run(t.Context(), Games{Store: db, Play: play})
		return answer, steps, err
	}
	if _, steps, err := run(3); !errors.Is(err, errCut) || steps != 3 {
		t.Fatalf("%d steps: %v", steps, err)
	}
	said.Reset()
	answer, steps, err := run(100)
	if again := strings.Contains(said.String(), "step 1 of"); err != nil || again || steps == 0 || answer.Test == nil {
		t.Fatalf("%d more steps, %+v: %v, %s", steps, answer, err, said)
	}
	if _, steps, err := run(0); err != nil || steps != 0 {
		t.Errorf("a finished tuning plays %d steps: %v", steps, err)
	}
}
