package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/engine/game"
)

func TestErrorsStopTheRunAndKeepWhatIsPlayed(t *testing.T) {
	full := errors.New("disk full")
	store := arenatest.NewStore()
	puts := 0
	store.Fail = func(rec *arena.Record) error {
		if rec == nil {
			return nil
		}
		if puts++; puts > 5 {
			return full
		}
		return nil
	}
	workers := &arenatest.Workers{}
	result, err := (&Runner{Plan: planOf(2, 50, 2), Store: store, Worker: workers.New}).Run(context.Background())
	if !errors.Is(err, full) || !result.Interrupt || len(store.Games()) != 5 {
		t.Errorf("err = %v, %d games kept", err, len(store.Games()))
	}
	refused := errors.New("this engine knows no nodes")
	workers = &arenatest.Workers{Before: func(context.Context, int, arena.Job) (*arena.Record, error) { return nil, refused }}
	if _, err := (&Runner{Plan: planOf(2, 50, 2), Store: arenatest.NewStore(), Worker: workers.New}).Run(context.Background()); !errors.Is(err, refused) {
		t.Errorf("err = %v", err)
	}
	if opened, closed, _ := workers.Counts(); opened != closed {
		t.Errorf("%d workers opened, %d closed", opened, closed)
	}
}

// What the store cannot note is an error of the run: "finished" would be
// said of games that are not there.
func TestAStoreThatFailsAtTheEndIsAnError(t *testing.T) {
	gone := errors.New("the database file is gone")
	for _, warnings := range [][]string{nil, {"careful"}} {
		store, watch := arenatest.NewStore(), &watcher{}
		store.Fail = func(rec *arena.Record) error {
			if rec == nil {
				return gone
			}
			return nil
		}
		d := &Runner{Plan: planOf(2, 3, 2), Store: store, Worker: (&arenatest.Workers{}).New, Watcher: watch, Warnings: warnings}
		_, err := d.Run(context.Background())
		var failed *StoreError
		if !errors.Is(err, gone) || !errors.As(err, &failed) || watch.count(arena.RunFinished) != 1 {
			t.Errorf("err = %v", err)
		}
	}
}

// An error before the first game, a wrong engine option say, leaves no run.
func TestNoEmptyRunIsLeftBehind(t *testing.T) {
	refused := errors.New("no such option")
	for _, games := range []int{0, 3} {
		store, left := arenatest.NewStore(), games
		workers := &arenatest.Workers{Before: func(context.Context, int, arena.Job) (*arena.Record, error) {
			if left--; left < 0 {
				return nil, refused
			}
			return nil, nil
		}}
		result, err := (&Runner{Plan: planOf(2, 5, 1), Store: store, Worker: workers.New}).Run(context.Background())
		if want := map[int]string{0: "", 3: "interrupted"}[games]; !errors.Is(err, refused) || store.State != want || result.Summary == nil {
			t.Errorf("after %d games: err = %v, the run is %q", games, err, store.State)
		}
	}
	plan := planOf(2, 5, 1)
	plan.Format.Name = "league"
	store := arenatest.NewStore()
	if _, err := (&Runner{Plan: plan, Store: store, Worker: (&arenatest.Workers{}).New}).Run(context.Background()); err == nil || store.State != "" {
		t.Errorf("err = %v, the run is %q", err, store.State)
	}
}

func TestADeadEngineEndsTheRun(t *testing.T) {
	for _, concurrency := range []int{1, 4} {
		workers := &arenatest.Workers{Before: func(_ context.Context, _ int, job arena.Job) (*arena.Record, error) {
			return arenatest.Fault(job, job.Seat(1), game.FaultExited), nil
		}}
		store, watch := arenatest.NewStore(), &watcher{}
		result, err := (&Runner{Plan: planOf(2, 5000, concurrency), Store: store, Worker: workers.New, Watcher: watch}).Run(context.Background())
		if err != nil || result.Interrupt || store.State != "finished" {
			t.Fatalf("err = %v, the run is %s", err, store.State)
		}
		if stop := result.Summary.Stop; stop.Kind != arena.StopDead || stop.Engine != "b" || stop.Pairs != 2 || result.Summary.Counted != 4 {
			t.Errorf("stop %+v, %d games count", stop, result.Summary.Counted)
		}
		if watch.count(arena.Warned) != 1 {
			t.Errorf("%d warnings", watch.count(arena.Warned))
		}
	}
}

func TestStallsAreReplayedOnce(t *testing.T) {
	store := arenatest.NewStore()
	var mu sync.Mutex
	stalls := map[string]int{}
	workers := &arenatest.Workers{Before: func(_ context.Context, _ int, job arena.Job) (*arena.Record, error) {
		mu.Lock()
		defer mu.Unlock()
		stalls[job.ID]++
		if n := stalls[job.ID]; n == 1 || n == 2 && job.Pair == 0 {
			rec := arenatest.Fault(job, game.First, game.FaultTimeout)
			rec.Source = arena.Stalled
			return rec, nil
		}
		return nil, nil
	}}
	result := runAll(t, planOf(2, 3, 2), store, workers)
	if result.Played != 6 || store.Stalled() != 6 {
		t.Errorf("%d games played, %d stalled", result.Played, store.Stalled())
	}
	for _, rec := range store.Records() {
		if faulted := rec.Source == arena.Faulted; faulted != (rec.Pair == 0) {
			t.Errorf("pair %d: %s", rec.Pair, rec.Source)
		}
	}
}

func TestFaultPolicies(t *testing.T) {
	faulty := func(_ context.Context, _ int, job arena.Job) (*arena.Record, error) {
		for i, name := range job.Pairing {
			if name == "b" {
				rec := arenatest.Fault(job, job.Seat(i), game.FaultCrashed)
				rec.Plies = []arena.Ply{{Seat: game.First}, {Seat: game.Second}}
				return rec, nil
			}
		}
		return nil, nil
	}
	for _, tt := range []struct {
		policy arena.FaultPolicy
		played int
		stop   bool
	}{{arena.FaultForfeit, 60, false}, {arena.FaultDrop, 0, false}, {arena.FaultStop, 0, true}} {
		plan := planOf(3, 10, 1)
		plan.Engines[1].OnFault, plan.Engines[1].MaxFault = tt.policy, 4
		store, workers := arenatest.NewStore(), &arenatest.Workers{Before: faulty}
		result, err := (&Runner{Plan: plan, Store: store, Worker: workers.New}).Run(context.Background())
		var stop *StoppedError
		if errors.As(err, &stop) != tt.stop || (err != nil) != tt.stop {
			t.Fatalf("%s: err = %v", tt.policy, err)
		}
		lost := 0
		for _, rec := range store.Records() {
			if rec.Source == arena.Faulted {
				lost++
			}
		}
		switch tt.policy {
		case arena.FaultForfeit:
			if result.Played != tt.played || lost != 40 {
				t.Errorf("forfeit: %d played, %d lost", result.Played, lost)
			}
		case arena.FaultDrop:
			// Four faults, and what instant games ran ahead before they were seen:
			// how many that is the scheduler decides, and it counts nowhere.
			sum := result.Summary
			if lost < 4 || result.Played-lost != 20 || len(sum.Drops) != 1 || sum.Drops[0].Text != "b left the run after 4 faults" {
				t.Errorf("drop: %d played, %d lost, drops %+v", result.Played, lost, sum.Drops)
			}
			if sum.Counted != 24 || sum.Surplus != lost-4 {
				t.Errorf("drop: %d count, %d do not", sum.Counted, sum.Surplus)
			}
		case arena.FaultStop:
			if stop.Engine != "b" || lost == 0 || store.State != "interrupted" {
				t.Errorf("stop: %v after %d lost", stop, lost)
			}
		}
	}
}

func ExampleStoppedError() {
	err := &StoppedError{Engine: "b", Record: &arena.Record{Job: arena.Job{ID: "12ab"}, Fault: &game.Fault{Kind: game.FaultCrashed, Detail: "signal 11 (SIGSEGV)"}}}
	fmt.Println(err)
	// Output: engine b faulted in game 12ab (crashed: signal 11 (SIGSEGV)) and has on_fault: stop
}
