// Package endtoend proves the arena with real processes: schedule, runner,
// workers, engines and database together.
package endtoend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/sandbox"
	"thera/arena/session"
	"thera/arena/store"
	"thera/engine/game"
	"thera/engine/gametest/nim"
)

// TestMain lets this binary also be an arena and its engines.
func TestMain(m *testing.M) {
	sandbox.Main()
	switch { // an arena's engines inherit what made it one: they come first
	case os.Getenv("ENDTOEND_PERCENT") != "":
		percent, _ := strconv.Atoi(os.Getenv("ENDTOEND_PERCENT"))
		pause, _ := time.ParseDuration(os.Getenv("ENDTOEND_PAUSE"))
		exit(nim.New().ServeWith(os.Stdin, os.Stdout, func(pos game.Position) string {
			time.Sleep(pause)
			return nim.Choose(pos, percent, nim.Dice(pos.String(), strconv.Itoa(percent)))
		}))
	case os.Getenv("ENDTOEND_PLAN") != "":
		exit(arenaRole(os.Getenv("ENDTOEND_PLAN"), os.Getenv("ENDTOEND_DB")))
	}
	os.Exit(m.Run())
}

func exit(err error) {
	switch {
	case errors.Is(err, context.Canceled):
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// planSpec is what a test asks of an arena in another process.
type planSpec struct {
	Format      string
	Rounds      int
	Concurrency int
	Engines     int
	Pause       time.Duration
	Stalls      bool // the machine stalls once in each of two games
}

func (s planSpec) plan() (*arena.Plan, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	g := nim.New()
	g.Heaps = nil
	for size := 40; size < 100; size++ { // engines choose by the position alone: starts must differ
		g.Heaps = append(g.Heaps, size)
	}
	plan := &arena.Plan{
		Name: "run", Game: g, Seed: 1, Concurrency: s.Concurrency,
		Format:   arena.Format{Name: s.Format, Rounds: s.Rounds, Pairs: true, PairsPerMatch: 1},
		Openings: arena.Openings{RandomPlies: 6, Random: true},
		Limit:    arena.Limit{Nodes: 1000, MaxMove: time.Minute, Grace: time.Second, Start: time.Minute},
		SPRT:     arena.SPRT{Elo0: 0, Elo1: 16, Alpha: 0.05, Beta: 0.05, Model: "normalized"},
	}
	for i := range s.Engines {
		plan.Engines = append(plan.Engines, arena.EngineSpec{
			Name: string(rune('a' + i)), Command: []string{self}, Protocol: "auto", Binary: "same", OnFault: arena.FaultStop,
			IdleCPU: time.Hour,
			Env:     []string{fmt.Sprintf("ENDTOEND_PERCENT=%d", 80-10*i), "ENDTOEND_PAUSE=" + s.Pause.String()},
		})
	}
	return plan, nil
}

// arenaRole plays a run and prints the identity of each game once it counts.
func arenaRole(text, db string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var spec planSpec
	if err := json.Unmarshal([]byte(text), &spec); err != nil {
		return err
	}
	plan, err := spec.plan()
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, db)
	if err != nil {
		return err
	}
	stalls, err := stallsOf(ctx, s, spec)
	if err != nil {
		return err
	}
	d := &session.Runner{
		Plan: plan, Store: s, Watcher: shower{},
		Worker: func(slot int) arena.Worker {
			return stalling{match.NewWorker(plan, match.Options{}), stalls}
		},
	}
	_, err = d.Run(ctx)
	return errors.Join(err, s.Close())
}

// stalls are the games in which the machine has still to stall, each once in a run.
type stalls struct {
	mu  sync.Mutex
	due map[stall]bool
}

type stall struct{ pair, leg int }

// stallsOf returns the stalls that a run has not stored yet.
func stallsOf(ctx context.Context, s *store.Store, spec planSpec) (*stalls, error) {
	all := &stalls{due: map[stall]bool{}}
	if !spec.Stalls {
		return all, nil
	}
	all.due[stall{3, 0}], all.due[stall{4, 1}] = true, true
	runs, err := s.Runs(ctx)
	if err != nil || len(runs) == 0 {
		return all, err
	}
	for rec, err := range s.Games(ctx, runs[0].ID, true) {
		if err != nil {
			return nil, err
		}
		if rec.Source == arena.Stalled {
			delete(all.due, stall{rec.Pair, rec.Leg})
		}
	}
	return all, nil
}

// stalling is a worker on a machine that stalls.
type stalling struct {
	arena.Worker
	stalls *stalls
}

func (w stalling) Play(ctx context.Context, job arena.Job, start game.Position) (*arena.Game, error) {
	rec, err := w.Worker.Play(ctx, job, start)
	if err != nil || job.Pairing != [2]string{"a", "b"} {
		return rec, err
	}
	w.stalls.mu.Lock()
	defer w.stalls.mu.Unlock()
	if at := (stall{job.Pair, job.Leg}); w.stalls.due[at] {
		delete(w.stalls.due, at)
		rec.Source, rec.Outcome = arena.Stalled, game.Outcome{Reason: "stalled"}
	}
	return rec, nil
}

type shower struct{}

func (shower) Event(e arena.Event) {
	if e.Kind == arena.GameFinished {
		fmt.Println(e.Record.ID)
	}
}
