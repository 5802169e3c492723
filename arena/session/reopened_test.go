package session

import (
	"context"
	"errors"
	"testing"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/arena/tournament"
	"thera/engine/gametest"
)

// Who has the last pair stored and holds the run finds it as it was: games that are excluded then are
// played again in the same start. When it has ended nothing is excluded any more.
func TestExcludedAtTheEnd(t *testing.T) {
	store, plan := arenatest.NewStore(), planOf(2, 2, 1)
	workers := &arenatest.Workers{Strength: strengths()}
	remote := &elsewhere{slots: 1, plan: plan, workers: workers}
	var held *Run
	remote.act = func(ctx context.Context, n int, p *Pair, play func() []*arena.Game, run *Run) {
		held = run
		recs := play()
		if n == 2 { // the last pair
			for _, rec := range recs {
				rec.By = &arena.By{Worker: "liar"}
			}
			run.Hold()
			defer run.Release()
		}
		if err := run.Put(ctx, p, recs); err != nil {
			t.Error(err)
		}
		if n == 2 {
			if ctx.Err() != nil {
				t.Error("the run has ended although it was held")
			}
			run.Join("liar", 1, []string{"of an earlier start"})
			if err := run.Exclude("liar", nil, "all"); err != nil || !run.out["liar"] || len(run.claims) > 0 {
				t.Errorf("%v, it is out: %v, it claims: %v", err, run.out, run.claims)
			}
		}
	}
	result, err := (&Runner{Plan: plan, Store: store, Worker: workers.New, Remote: remote}).Run(t.Context())
	gametest.OK(t, err)
	if result.Run.State != "finished" || result.Counted != 4 {
		t.Errorf("the run is %s, %d games count", result.Run.State, result.Counted)
	}
	if err := held.Exclude("", nil, "late"); !errors.Is(err, errEnded) {
		t.Errorf("after its end: %v", err)
	}
}

// A pair whose games are being stored, or are played, is not given out again when there is a new director.
func TestGivenOutOnce(t *testing.T) {
	r := begun(t, planOf(2, 1, 1), 1)
	anew := func() *tournament.Director { return begun(t, r.Plan, 1).director }
	p := r.next("")
	if p == nil {
		t.Fatal("nothing is to be played")
	}
	r.director = anew()
	if again := r.next(""); again != nil {
		t.Errorf("pair %d is given out again while it is played", again.Place)
	}
	var games []*arena.Game
	for _, job := range p.Jobs {
		games = append(games, &arena.Game{Job: job})
	}
	if wanted, _ := r.wanted(p, games); len(wanted) != 2 {
		t.Fatalf("%d games are wanted", len(wanted))
	}
	if again, _ := r.wanted(p, games); len(again) != 0 {
		t.Errorf("%d games are wanted twice", len(again))
	}
	r.director = anew()
	if again := r.next(""); again != nil || r.over {
		t.Errorf("it is given out again while it is stored: %v", r.err)
	}
}

// Games of a worker that is excluded, of a pair that is void or of one that another took the place of are not
// stored. The first pair waits for somebody else.
func TestWhatIsNotWanted(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(r *Run, p *Pair)
		waits  int
	}{
		"excluded": {func(r *Run, _ *Pair) { r.out["liar"] = true }, 1},
		"void":     {func(_ *Run, p *Pair) { p.void = true }, 0},
		"another":  {func(r *Run, _ *Pair) { r.open[0] = &Pair{} }, 0},
	} {
		r, p := begun(t, planOf(2, 1, 1), 1), &Pair{missing: map[string]bool{"1": true}}
		r.open[0] = p
		tt.change(r, p)
		g := &arena.Game{Job: arena.Job{ID: "1"}, By: &arena.By{Worker: "liar"}}
		if wanted, _ := r.wanted(p, []*arena.Game{g}); len(wanted) != 0 || !p.missing["1"] || len(r.waiting) != tt.waits {
			t.Errorf("%s: %d games are wanted, %d pairs wait", name, len(wanted), len(r.waiting))
		}
	}
}
