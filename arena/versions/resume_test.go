package versions

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/arena/config"
	"thera/arena/report"
	"thera/arena/session"
	"thera/arena/store"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

const tuneFile = `
game: nim
engine: {command: [sh], options: {a: 2}}
limit: {move: 1s}
sprt: {elo0: 0, elo1: 200}
tune:
  iterations: 12
  pairs: 2
  options: [{name: a, start: 2, min: 0, max: 9, c_end: 1, r_end: 0.5}]
`

// errCut is why a search was stopped.
var errCut = errors.New("cut off")

// tuned tunes with a database. It is cut off after most steps, and counts them.
func tuned(t *testing.T, db *store.Store, most int) (answer *report.Tuning, steps int, said string, err error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tune.yaml")
	gametest.OK(t, os.WriteFile(file, []byte(tuneFile), 0o600))
	contest, err := config.LoadContest(file, nil, config.Host{Games: []game.Game{nim.New()}, Dir: t.TempDir(), Cores: 1})
	gametest.OK(t, err)
	workers := &arenatest.Workers{Strength: map[string]int{"plus": 50, "minus": 60, "tuned": 95, "old": 20}}
	var words strings.Builder
	c := &Contest{Contest: contest, Builder: &session.Builder{}, Say: func(text string) { words.WriteString(text + "\n") }}
	tuning, err := c.NewTuning(t.Context())
	gametest.OK(t, err)
	answer, err = tuning.Run(t.Context(), Games{Store: db, Play: func(plan *arena.Plan, step bool) (*arena.Summary, error) {
		switch {
		case step && steps == most:
			return nil, errCut
		case step:
			steps++
		}
		return (&session.Runner{Plan: plan, Store: db, Worker: workers.New}).Run(t.Context())
	}})
	return answer, steps, words.String(), err
}

func database(t *testing.T) *store.Store {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "thera.db"))
	gametest.OK(t, err)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// A tuning that was cut off plays what is not stored, and ends as one that was not.
func TestTuningResumes(t *testing.T) {
	whole, all, _, err := tuned(t, database(t), 100)
	if err != nil || all < 4 || whole.Test == nil || whole.Iterations != 12 {
		t.Fatalf("%d steps, %+v: %v", all, whole, err)
	}
	db := database(t)
	if _, steps, _, err := tuned(t, db, 3); !errors.Is(err, errCut) || steps != 3 {
		t.Fatalf("%d steps: %v", steps, err)
	}
	rest, steps, said, err := tuned(t, db, 100)
	if err != nil || steps != all-3 {
		t.Errorf("%d steps after 3 of %d: %v", steps, all, err)
	}
	if strings.Contains(said, "tune: step 1 of ") {
		t.Errorf("it says %q", said)
	}
	var texts [2]string
	for i, r := range []*report.Tuning{whole, rest} {
		r.File, r.Test.Run, r.Test.Speed = "", "", nil // of folders and of time
		text, err := json.MarshalIndent(r, "", " ")
		gametest.OK(t, err)
		texts[i] = string(text)
	}
	if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
		t.Error(diff)
	}
	if _, steps, _, err := tuned(t, db, 0); err != nil || steps != 0 {
		t.Errorf("a finished tuning plays %d steps: %v", steps, err)
	}
}
