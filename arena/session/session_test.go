//go:build unix

package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/arena/proc"
	"thera/arena/sandbox"
	"thera/arena/store"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// TestMain lets this test binary be the engines that its tests play with.
func TestMain(m *testing.M) {
	if code, ours := faultkit.Main(); ours {
		os.Exit(code)
	}
	goleak.VerifyTestMain(gametest.PlainEngines(m, faultkit.ProgramVar))
}

// planned is a run of two engines. Each call makes an equal plan that shares nothing
// with the others.
func planned(rounds int) *arena.Plan {
	argv, env := faultkit.Command("none")
	p := &arena.Plan{Name: "two", Game: nim.New(), Concurrency: 2, Seed: 1, Limit: arena.Limit{Move: time.Minute}}
	for _, name := range []string{"a", "b"} {
		p.Engines = append(p.Engines, arena.EngineSpec{Name: name, Command: slices.Clone(argv), Env: slices.Clone(env), Binary: "1"})
		arena.SetDefaults(&p.Engines[len(p.Engines)-1])
	}
	p.Format = arena.Format{Name: "round-robin", Rounds: rounds, Pairs: true}
	p.Limit.Grace, p.Limit.Start, p.Limit.Sync = time.Minute, time.Minute, time.Minute
	return p
}

// opened is a new database.
func opened(t *testing.T) *store.Store {
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

// follower calls a function with each event.
type follower struct {
	event  func(arena.Event)
	closed int
}

func (w *follower) Event(e arena.Event) { w.event(e) }

func (w *follower) Close() error {
	w.closed++
	return nil
}

// A run is interrupted, resumed, extended and played again, and the plans that
// describe it stay as they are.
func TestPlay(t *testing.T) {
	db := opened(t)
	var said []string
	o := Options{Store: db, Sandbox: sandbox.Off, Say: func(text string) { said = append(said, text) }}
	o.Match.Machine = quiet{}

	ctx, cancel := context.WithCancel(t.Context())
	started := 0
	w := &follower{event: func(e arena.Event) {
		if e.Kind == arena.GameStarted {
			started++
		}
		if started == 10 { // all games could have been played before the first one is stored
			cancel()
		}
	}}
	o.Watcher = w
	sum, err := Play(ctx, planned(20), o)
	var cut *Unfinished
	if !errors.As(err, &cut) || !cut.Interrupted || cut.Games == 0 || sum == nil || sum.Run.Games != cut.Games {
		t.Fatalf("interrupted: %v, %+v", err, sum)
	}
	if w.closed != 1 {
		t.Errorf("the follower was closed %d times", w.closed)
	}

	o.Watcher = nil
	for _, rounds := range []int{20, 22, 22} {
		plan := planned(rounds)
		said = nil
		sum, err := Play(t.Context(), plan, o)
		gametest.OK(t, err)
		if sum.Counted != 2*rounds || sum.Stop == nil {
			t.Errorf("%d rounds: %d games, stop %v", rounds, sum.Counted, sum.Stop)
		}
		if !reflect.DeepEqual(plan, planned(rounds)) {
			t.Errorf("the plan was changed: %+v, want %+v", plan, planned(rounds))
		}
	}
	if last := said[len(said)-1]; !strings.Contains(last, "nothing is left to play") {
		t.Errorf("a finished run says %q", said)
	}

	changed := planned(22)
	changed.Engines[0].Binary = "2"
	var refused *store.ChangedError
	if sum, err := Play(t.Context(), changed, o); !errors.As(err, &refused) || sum != nil {
		t.Errorf("another binary: %v", err)
	}
	o.Fresh = true
	if sum, err := Play(t.Context(), changed, o); err != nil || sum.Counted != 44 {
		t.Errorf("a fresh run: %v", err)
	}
}

// quiet is a machine that does nothing else: no game is void because of what runs
// beside the tests.
type quiet struct{}

func (quiet) Usage([]int) (proc.Usage, bool) { return proc.Usage{CPUs: 1}, true }
