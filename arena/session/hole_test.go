package session

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/arena/report"
	"thera/arena/tournament"
	"thera/engine/game"
)

// buying makes an engine a that has the machine stall once in the second game of every nth
// pair whose first game it lost. It may do so often times.
func buying(often, n int) *arenatest.Workers {
	lost := map[int]bool{}
	return &arenatest.Workers{Before: func(_ context.Context, _ int, job arena.Job) (*arena.Game, error) {
		winner := job.Seat(job.Pair % 2) // a wins the first games of even pairs, and half of all games
		if job.Leg == 0 && job.Pair%2 == 1 && job.Pair%n == n-1 && !lost[job.Pair] && often > 0 {
			lost[job.Pair] = true
		} else if job.Leg == 1 && lost[job.Pair] && often > 0 {
			often--
			rec := arenatest.Fault(job, job.Seat(0), game.FaultTimeout)
			rec.Source = arena.Stalled
			lost[job.Pair] = false
			return rec, nil
		}
		return &arena.Game{
			Job: job, Start: "21 1", Source: arena.Natural, Outcome: game.Outcome{Winner: winner, Reason: "over"},
			Moves: []string{"1", "2"}, Plies: []arena.Ply{{Seat: game.First}, {Seat: game.Second}},
		}, nil
	}}
}

// verdictless plays a run again and again until it is over, and says whether it has a verdict.
func verdictless(t *testing.T, plan *arena.Plan, workers *arenatest.Workers) (void int, none bool) {
	t.Helper()
	store := arenatest.NewStore()
	for range 100 {
		result, err := (&Runner{Plan: plan, Store: store, Worker: workers.New}).Run(t.Context())
		if err != nil && (result == nil || errors.Is(err, context.Canceled)) {
			t.Fatal(err)
		}
		if result.Stop == nil || result.Stop.Kind != arena.StopPlayed {
			continue
		}
		required, err := tournament.Requirements(plan, []string{"games > 1"})
		ok(t, err)
		met, detail := required[0].Met(result)
		c, err := report.Compare(result, "a", "b")
		ok(t, err)
		t.Logf("%d void pairs; %s; %s", result.Voided.Pairs, detail, c.Sentence)
		return result.Voided.Pairs, !met && c.Verdict == "unknown" && c.EloLo == nil
	}
	t.Fatal("it never ends")
	return 0, false
}

// The share of void pairs is counted over the life of a run, however often it is resumed.
func TestHole15VoidsCountOverTheLifeOfARun(t *testing.T) {
	for often, want := range map[int]bool{40: true, 4: true, 2: false} {
		if void, none := verdictless(t, planOf(2, 60, 1), buying(often, 2)); none != want || void == 0 {
			t.Errorf("%d pairs of %d were void: no verdict %v, want %v", void, void+60, none, want)
		}
	}
}

// Voids that fall on the losses of one engine buy it no verdict, however few they are.
func TestHole15VoidsOfOneEnginesLosses(t *testing.T) {
	if void, none := verdictless(t, planOf(2, 1000, 1), buying(20, 10)); !none || void != 20 {
		t.Errorf("%d of 1020 pairs were void, all with a lost game of a: no verdict %v", void, none)
	}
}

// withDead plays games in which some engines never answer.
func withDead(dead string) *arenatest.Workers {
	return &arenatest.Workers{Strength: strengths(), Before: func(_ context.Context, _ int, job arena.Job) (*arena.Game, error) {
		first, second := strings.Contains(dead, job.Engine(game.First)), strings.Contains(dead, job.Engine(game.Second))
		switch {
		case first && second:
			rec := arenatest.Fault(job, game.First, game.FaultStartTimeout)
			rec.Outcome = game.Outcome{Reason: "both: start timeout, start timeout"}
			return rec, nil
		case first:
			return arenatest.Fault(job, game.First, game.FaultStartTimeout), nil
		case second:
			return arenatest.Fault(job, game.Second, game.FaultStartTimeout), nil
		}
		return nil, nil
	}}
}

// counting makes workers that begin a game when all but a few before it are counted, however
// busy the machine is.
type counting struct {
	*arenatest.Workers
	mu      sync.Mutex
	begun   int
	pending map[string]int // by job: when it began
	changed chan struct{}
}

func newCounting(workers *arenatest.Workers) *counting {
	return &counting{Workers: workers, pending: map[string]int{}, changed: make(chan struct{})}
}

// Event implements arena.Watcher.
func (c *counting) Event(e arena.Event) {
	if e.Kind == arena.GameFinished {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.pending, e.Job.ID)
		close(c.changed)
		c.changed = make(chan struct{})
	}
}

func (c *counting) New(slot int) arena.Worker { return countingWorker{c.Workers.New(slot), c} }

type countingWorker struct {
	arena.Worker
	of *counting
}

func (w countingWorker) Play(ctx context.Context, job arena.Job, start arena.Opening) (*arena.Game, error) {
	w.of.mu.Lock()
	w.of.begun++
	mine := w.of.begun
	w.of.pending[job.ID] = mine
	for slices.Min(slices.Collect(maps.Values(w.of.pending))) < mine-4 && ctx.Err() == nil {
		changed := w.of.changed
		w.of.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		w.of.mu.Lock()
	}
	w.of.mu.Unlock()
	return w.Worker.Play(ctx, job, start)
}

// Two of twelve engines never start. They have no rank, what others took from them counts
// nowhere, and they do not play on because they met each other first.
func TestHole14DeadEnginesHaveNoRank(t *testing.T) {
	for _, format := range []string{"round-robin", "gauntlet", "swiss", "knockout", "cells"} {
		plan := planOf(12, 4, 1)
		plan.Format.Name, plan.Format.PairsPerMatch = format, 2
		if format == "swiss" {
			plan.Format.Rounds = 5
		}
		dead := "ab"
		switch format {
		case "gauntlet":
			dead = "bl" // a is the seed
		case "knockout":
			dead = "hi" // they meet in the first round
		}
		store := arenatest.NewStore()
		counted := newCounting(withDead(dead))
		result, err := (&Runner{Plan: plan, Store: store, Worker: counted.New, Watcher: counted}).Run(t.Context())
		ok(t, err)
		played := map[string]int{}
		for _, rec := range store.Records() {
			played[rec.Pairing[0]]++
			played[rec.Pairing[1]]++
		}
		for _, name := range dead {
			if n := played[string(name)]; n > 20 { // some were offered already
				t.Errorf("%s: %c played %d games, want it to leave after three", format, name, n)
			}
		}
		r := report.New(result)
		if len(r.Engines) != 10 || slices.ContainsFunc(r.Engines, func(e arena.EngineRow) bool { return strings.Contains(dead, e.Name) }) {
			t.Errorf("%s: %d engines have a rank", format, len(r.Engines))
		}
		for _, p := range r.Pairings {
			if strings.Contains(dead, p.Engines[0]) || strings.Contains(dead, p.Engines[1]) {
				t.Errorf("%s: %v count: %+v", format, p.Engines, p.WDL)
			}
		}
		for i, s := range r.Standings {
			if i == 0 && len(r.Standings) != 10 || strings.Contains(dead, s.Engine) {
				t.Errorf("%s: %s stands in place %d of %d", format, s.Engine, i+1, len(r.Standings))
			}
		}
		again := runAll(t, plan, store, withDead(dead))
		again.Run, result.Run = arena.RunInfo{}, arena.RunInfo{}
		if diff := cmp.Diff(result, again); diff != "" {
			t.Errorf("%s: the stored run says otherwise: %s", format, diff)
		}
	}
}

// In a game in which both engines fail there is no point to win, and both are charged.
func TestHole14BothAreCharged(t *testing.T) {
	plan := planOf(2, 40, 1)
	counted := newCounting(withDead("ab"))
	result, err := (&Runner{Plan: plan, Store: arenatest.NewStore(), Worker: counted.New, Watcher: counted}).Run(t.Context())
	ok(t, err)
	if stop := result.Stop; stop.Kind != arena.StopDead || result.Run.Played > 20 { // some were offered already
		t.Errorf("%d games were played: %+v", result.Run.Played, stop)
	}
	required, err := tournament.Requirements(plan, []string{"faults <= 1"})
	ok(t, err)
	if met, detail := required[0].Met(result); met || !strings.Contains(detail, "4 of 4 games") {
		t.Errorf("met %v: %s", met, detail)
	}
	plan = planOf(2, 8, 1)
	both := func(_ context.Context, _ int, job arena.Job) (*arena.Game, error) {
		if job.Pair != 3 {
			return nil, nil
		}
		rec := arenatest.Fault(job, game.First, game.FaultExited)
		rec.Outcome = game.Outcome{Reason: "both: exited, exited"}
		return rec, nil
	}
	sum := runAll(t, plan, arenatest.NewStore(), &arenatest.Workers{Strength: strengths(), Before: both})
	r := report.New(sum)
	for _, e := range r.Engines {
		if e.Games != 14 || e.Faults != 2 {
			t.Errorf("%s has %d games and %d faults, want 14 and 2", e.Name, e.Games, e.Faults)
		}
	}
}
