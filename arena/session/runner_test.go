package session

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// planOf is a round robin from varied openings.
func planOf(engines, rounds, concurrency int) *arena.Plan {
	plan := &arena.Plan{
		Name: "test", Game: nim.New(), Seed: 1, Concurrency: concurrency,
		Format:   arena.Format{Name: "round-robin", Rounds: rounds, Pairs: true},
		Openings: arena.Openings{RandomPlies: 3},
		Limit:    arena.Limit{Move: time.Second}, // under nodes the game's few openings would soon be used up
		SPRT:     arena.SPRT{Elo0: 0, Elo1: 50, Alpha: 0.05, Beta: 0.05, Model: "normalized"},
	}
	for i := range engines {
		plan.Engines = append(plan.Engines, arena.EngineSpec{Name: string(rune('a' + i)), OnFault: arena.FaultForfeit})
	}
	return plan
}

func strengths() map[string]int { return map[string]int{"a": 90, "b": 40, "c": 0, "d": 20} }

// watcher collects events.
type watcher struct {
	mu     sync.Mutex
	events []arena.Event
}

func (w *watcher) Event(e arena.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, e)
}

func (w *watcher) count(kind arena.EventKind) int {
	n := 0
	for _, e := range w.events {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

func runAll(t *testing.T, plan *arena.Plan, store *arenatest.Store, workers *arenatest.Workers) *arena.Summary {
	t.Helper()
	d := &Runner{Plan: plan, Store: store, Worker: workers.New}
	result, err := d.Run(context.Background())
	gametest.OK(t, err)
	if opened, closed, _ := workers.Counts(); opened != closed {
		t.Errorf("%d workers opened, %d closed", opened, closed)
	}
	return result
}

func TestAllGamesArePlayedOnceAtAnyConcurrency(t *testing.T) {
	var want []string
	for _, concurrency := range []int{1, 2, 7} {
		store, workers, watch := arenatest.NewStore(), &arenatest.Workers{Strength: strengths()}, &watcher{}
		d := &Runner{Plan: planOf(3, 10, concurrency), Store: store, Worker: workers.New, Watcher: watch, Warnings: []string{"careful"}}
		result, err := d.Run(context.Background())
		gametest.OK(t, err)
		if result.Run.Played != 60 || result.Run.Games != 60 || result.Run.State != "finished" || result.Stop.Text != "all 10 rounds are played" {
			t.Errorf("result %+v", result)
		}
		if store.State != "finished" || !slices.Equal(store.Remarks, []string{"careful"}) {
			t.Errorf("state %s, remarks %q", store.State, store.Remarks)
		}
		if s, f := watch.count(arena.GameStarted), watch.count(arena.GameFinished); s != 60 || f != 60 {
			t.Errorf("%d games started, %d finished", s, f)
		}
		last := watch.events[len(watch.events)-1]
		if last.Kind != arena.RunFinished || last.Elapsed <= 0 || last.Played != 60 || last.Total != 60 || last.Summary.Counted != 60 {
			t.Errorf("last event %+v", last)
		}
		games := store.Games()
		if len(games) != 60 {
			t.Errorf("%d games kept", len(games))
		}
		if want == nil {
			want = games
		}
		if diff := cmp.Diff(want, games); diff != "" {
			t.Errorf("concurrency %d changes games: %s", concurrency, diff)
		}
	}
}

// planOfFormat is a small run of a format.
func planOfFormat(format string, concurrency int) *arena.Plan {
	plan := planOf(4, 4, concurrency)
	plan.Format.Name, plan.Format.PairsPerMatch = format, 2
	switch format {
	case "swiss":
		plan.Format.Rounds = 3
	case "cells":
		plan.Engines = plan.Engines[:1]
		plan.Game = nim.New(20, 21, 22, 23)
		plan.Format.Rounds = 15
	case "sprt":
		plan.Engines, plan.Format.Rounds = plan.Engines[:2], 10_000
	}
	return plan
}

// TestInterruptedAnywhere stops runs of every format after every few games;
// resumed each time, each ends with the games of an undisturbed one, for the
// same reason. A run that ends early has all games that it began.
func TestInterruptedAnywhere(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	for _, format := range []string{"round-robin", "gauntlet", "swiss", "knockout", "cells"} {
		whole := arenatest.NewStore()
		end := runAll(t, planOfFormat(format, 1), whole, &arenatest.Workers{Strength: strengths()}).Stop.Text
		for i := range 4 {
			concurrency, early := []int{1, 3}[i%2], i >= 2
			store := arenatest.NewStore()
			stops, reason := 0, ""
			for reason == "" {
				if stops > 500 {
					t.Fatalf("%s: interrupted %d times without an end", format, stops)
				}
				ctx, cancel := context.WithCancel(context.Background())
				left, begun, kept := 1+dice.IntN(4), 0, len(store.Games())
				var mu sync.Mutex
				workers := &arenatest.Workers{Strength: strengths(), Before: func(context.Context, int, arena.Job) (*arena.Game, error) {
					mu.Lock()
					defer mu.Unlock()
					begun++
					if left--; left < 0 {
						cancel()
					}
					return nil, nil
				}}
				d := &Runner{Plan: planOfFormat(format, concurrency), Store: store, Worker: workers.New}
				if early {
					d.Last, ctx = ctx, context.Background()
				}
				result, err := d.Run(ctx)
				cancel()
				if n := len(store.Games()) - kept; early && n != begun {
					t.Errorf("%s: %d games began and %d are stored", format, begun, n)
				}
				switch {
				case err == nil:
					reason = result.Stop.Text
				case !errors.Is(err, context.Canceled):
					t.Fatal(err)
				default:
					stops++
					if result.Run.State == "finished" || store.State != "interrupted" {
						t.Errorf("interrupted, but the run is %s", store.State)
					}
				}
			}
			if stops < 2 {
				t.Errorf("%s: only %d interruptions", format, stops)
			}
			if reason != end {
				t.Errorf("%s: ended with %q, undisturbed with %q", format, reason, end)
			}
			if diff := cmp.Diff(whole.Games(), store.Games()); diff != "" {
				t.Errorf("%s, concurrency %d: %s", format, concurrency, diff)
			}
		}
	}
}
