package session

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/engine/game"
	"thera/engine/gametest"
)

func TestErrorsStopTheRunAndKeepWhatIsPlayed(t *testing.T) {
	full := errors.New("disk full")
	store := arenatest.NewStore()
	puts := 0
	store.Fail = func(rec *arena.Game) error {
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
	if !errors.Is(err, full) || result.Run.State == "finished" || len(store.Games()) != 5 {
		t.Errorf("err = %v, %d games kept", err, len(store.Games()))
	}
	refused := errors.New("this engine knows no nodes")
	workers = &arenatest.Workers{Before: func(context.Context, int, arena.Job) (*arena.Game, error) { return nil, refused }}
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
		store.Fail = func(rec *arena.Game) error {
			if rec == nil {
				return gone
			}
			return nil
		}
		d := &Runner{Plan: planOf(2, 3, 2), Store: store, Worker: (&arenatest.Workers{}).New, Watcher: watch, Warnings: warnings}
		sum, err := d.Run(context.Background())
		if !errors.Is(err, gone) || watch.count(arena.RunFinished) != 1 || sum.Run.State != "interrupted" {
			t.Errorf("err = %v, the run is %s", err, sum.Run.State)
		}
		if last := watch.events[len(watch.events)-1].Text; !strings.Contains(last, gone.Error()) || strings.Contains(last, "played") {
			t.Errorf("it ends with %q", last)
		}
	}
}

// A store that is full refuses both games of a pair and then the state of the run. It is said once.
func TestAFullStoreIsSaidOnce(t *testing.T) {
	for _, left := range []int{0, 4} {
		store, plan, workers := arenatest.NewStore(), planOf(2, 3, 1), &arenatest.Workers{}
		store.Fail = func(*arena.Game) error {
			if left--; left < 0 {
				return errors.New("the disk is full")
			}
			return nil
		}
		remote := &elsewhere{slots: 1, plan: plan, workers: workers}
		remote.act = func(ctx context.Context, _ int, p *Pair, play func() []*arena.Game, run *Run) {
			if err := run.Put(ctx, p, play()); err == nil && left < 0 {
				t.Error("a pair is accepted that is not stored")
			}
		}
		_, err := (&Runner{Plan: plan, Store: store, Worker: workers.New, Remote: remote}).Run(t.Context())
		if err == nil || strings.Count(err.Error(), "the disk is full") != 1 {
			t.Errorf("err = %v", err)
		}
	}
}

// An error before the first game, a wrong engine option say, leaves no run.
func TestNoEmptyRunIsLeftBehind(t *testing.T) {
	refused := errors.New("no such option")
	for _, games := range []int{0, 3} {
		store, left := arenatest.NewStore(), games
		workers := &arenatest.Workers{Before: func(context.Context, int, arena.Job) (*arena.Game, error) {
			if left--; left < 0 {
				return nil, refused
			}
			return nil, nil
		}}
		result, err := (&Runner{Plan: planOf(2, 5, 1), Store: store, Worker: workers.New}).Run(context.Background())
		if want := map[int]string{0: "", 3: "interrupted"}[games]; !errors.Is(err, refused) || store.State != want || result == nil {
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

// stalling makes a machine that stalls the first times in games that stalls picks.
func stalling(times int, stalls func(job arena.Job) bool) func(context.Context, int, arena.Job) (*arena.Game, error) {
	var mu sync.Mutex
	seen := map[string]int{}
	return func(_ context.Context, _ int, job arena.Job) (*arena.Game, error) {
		mu.Lock()
		defer mu.Unlock()
		if !stalls(job) || seen[job.ID] == times {
			return nil, nil
		}
		seen[job.ID]++
		rec := arenatest.Fault(job, game.First, game.FaultTimeout)
		rec.Source = arena.Stalled
		return rec, nil
	}
}

// A pair in which the machine stalled is played again with both its games, and
// then counts like every other. Nobody is charged.
func TestVoidPairsArePlayedAgain(t *testing.T) {
	whole := arenatest.NewStore()
	runAll(t, planOf(3, 30, 2), whole, &arenatest.Workers{Strength: strengths()})
	for _, leg := range []int{0, 1} {
		for _, concurrency := range []int{1, 3} {
			store, watch := arenatest.NewStore(), &watcher{}
			workers := &arenatest.Workers{Strength: strengths(), Before: stalling(2, func(job arena.Job) bool {
				return job.Leg == leg && job.Pair == 20 && job.Pairing == [2]string{"a", "b"}
			})}
			result, err := (&Runner{Plan: planOf(3, 30, concurrency), Store: store, Worker: workers.New, Watcher: watch}).Run(t.Context())
			gametest.OK(t, err)
			if diff := cmp.Diff(whole.Games(), store.Games()); diff != "" {
				t.Error(diff)
			}
			var attempts []int
			for _, rec := range store.Voided() {
				if rec.Pair != 20 || rec.Pairing != [2]string{"a", "b"} {
					t.Errorf("void: %+v", rec.Job)
				}
				attempts = append(attempts, rec.Attempt)
			}
			want, voided := []int{1, 2}, arena.Voided{Pairs: 2, Games: 2}
			if leg == 1 { // the first game had ended
				want, voided = []int{1, 1, 2, 2}, arena.Voided{Pairs: 2, Games: 4}
			}
			if diff := cmp.Diff(want, attempts); diff != "" || result.Voided != voided {
				t.Errorf("leg %d: attempts %v, %+v", leg, attempts, result.Voided)
			}
			if result.Run.Played != 180 || result.Counted != 180 || watch.count(arena.Warned) != 2 {
				t.Errorf("leg %d: %d played, %d count, %d warnings", leg, result.Run.Played, result.Counted, watch.count(arena.Warned))
			}
			for _, row := range result.Rows {
				if row.Sides[0].Failed+row.Sides[1].Failed > 0 {
					t.Errorf("a fault is charged: %+v", row)
				}
			}
		}
	}
}

// The first game of a pair may be of an earlier start: it is excluded as well.
func TestAKeptGameOfAVoidPair(t *testing.T) {
	store := arenatest.NewStore()
	ctx, cancel := context.WithCancel(t.Context())
	last := &arenatest.Workers{Strength: strengths(), Before: func(_ context.Context, _ int, job arena.Job) (*arena.Game, error) {
		if job.Leg == 1 {
			cancel()
		}
		return nil, nil
	}}
	if result, err := (&Runner{Plan: planOf(2, 1, 1), Store: store, Worker: last.New}).Run(ctx); !errors.Is(err, context.Canceled) || result.Run.Played != 1 {
		t.Fatalf("%d played, %v", result.Run.Played, err)
	}
	workers := &arenatest.Workers{Strength: strengths(), Before: stalling(1, func(job arena.Job) bool { return job.Leg == 1 })}
	result := runAll(t, planOf(2, 1, 1), store, workers)
	if result.Run.Games != 2 || result.Run.Played != 2 || len(store.Voided()) != 2 || len(store.Games()) != 2 {
		t.Errorf("%d games, %d played, %d void, %v", result.Run.Games, result.Run.Played, len(store.Voided()), store.Games())
	}
}

// A machine that stalls again and again ends a start of the run: nobody is charged. To
// run it again is to go on, and nothing is forgotten.
func TestABusyMachineEndsTheRun(t *testing.T) {
	busy := func(plan *arena.Plan, store *arenatest.Store, workers *arenatest.Workers, want string) *arena.Summary {
		t.Helper()
		result, err := (&Runner{Plan: plan, Store: store, Worker: workers.New}).Run(t.Context())
		var stop *StoppedError
		if !errors.As(err, &stop) || !strings.HasPrefix(err.Error(), want) || strings.Count(err.Error(), "\n") > 0 {
			t.Fatalf("%v, want %s", err, want)
		}
		if result.Run.State == "finished" || store.State != "interrupted" || result.Stop != nil {
			t.Errorf("%+v, the run is %s", result, store.State)
		}
		return result
	}
	for _, concurrency := range []int{1, 3} {
		store := arenatest.NewStore()
		workers := &arenatest.Workers{Before: stalling(1000, func(job arena.Job) bool { return job.Pair == 4 && job.Leg == 1 })}
		plan := planOf(2, 50, concurrency)
		plan.Limit = arena.Limit{Move: 20 * time.Millisecond}
		const want = "this machine is too busy for 20 ms moves: pair 4 of a - b was void 3 times in a row"
		sum := busy(plan, store, workers, want)
		if sum.Voided.Pairs != 3 || sum.Doubt == nil || sum.Doubt.Kind != arena.DoubtBusy {
			t.Errorf("%+v, %+v", sum.Doubt, sum.Voided)
		}
		for _, rec := range store.Records() {
			if rec.Source == arena.Faulted || rec.Pair == 4 {
				t.Errorf("%s in pair %d", rec.Source, rec.Pair)
			}
		}
		if again := busy(plan, store, workers, want); again.Voided.Pairs != 6 {
			t.Errorf("as busy again: %+v", again.Voided)
		}
		again := runAll(t, plan, store, &arenatest.Workers{})
		if again.Stop.Kind != arena.StopPlayed || again.Counted != 100 || again.Voided.Pairs != 6 || again.Doubt == nil {
			t.Errorf("not busy any more: %+v, %d count, %+v, %+v", again.Stop, again.Counted, again.Voided, again.Doubt)
		}
		plan.Format.Rounds = 120 // 6 of 126 pairs are less than 5 %
		if more := runAll(t, plan, store, &arenatest.Workers{}); more.Counted != 240 || more.Voided.Pairs != 6 || more.Doubt != nil {
			t.Errorf("with more rounds: %d count, %+v, %+v", more.Counted, more.Voided, more.Doubt)
		}
	}
	workers := &arenatest.Workers{Before: stalling(1, func(job arena.Job) bool { return job.Pair%10 == 9 && job.Leg == 0 })}
	busy(planOf(2, 50, 1), arenatest.NewStore(), workers, "this machine is too busy for 1000 ms moves: 3 of ")
}

func TestFaultPolicies(t *testing.T) {
	faulty := func(_ context.Context, _ int, job arena.Job) (*arena.Game, error) {
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
		stop   bool
	}{{arena.FaultForfeit, false}, {arena.FaultDrop, false}, {arena.FaultStop, true}} {
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
		right := lost > 0
		switch tt.policy {
		case arena.FaultForfeit:
			right = result.Run.Played == 60 && lost == 40
		case arena.FaultDrop:
			// Four faults, and what instant games ran ahead before they were seen:
			// how many that is the scheduler decides, and it counts nowhere.
			right = lost >= 4 && result.Run.Played-lost == 20 && len(result.Drops) == 1 && result.Counted == 24 && result.Surplus == lost-4
		case arena.FaultStop:
			right = right && strings.HasPrefix(stop.Error(), "engine b faulted") && store.State == "interrupted"
		}
		if !right {
			t.Errorf("%s: %d played, %d lost, %d count, drops %+v, %v", tt.policy, result.Run.Played, lost, result.Counted, result.Drops, err)
		}
	}
}
