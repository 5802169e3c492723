package session

import (
	"context"
	"errors"
	"testing"

	"thera/arena"
	"thera/arena/arenatest"
)

// Games that are set aside when the run has ended make no end of it: the run is interrupted,
// and the next start plays them again.
func TestSetAsideAfterTheEnd(t *testing.T) {
	store, plan := arenatest.NewStore(), planOf(2, 2, 1)
	workers := &arenatest.Workers{Strength: strengths()}
	remote := &elsewhere{slots: 1, plan: plan, workers: workers}
	var first string
	remote.act = func(ctx context.Context, n int, p *Pair, play func() []*arena.Game, desk *Desk) {
		recs := play()
		for _, rec := range recs {
			rec.By = &arena.By{Worker: "liar"}
			first = rec.ID
		}
		if err := desk.Store(ctx, p, recs); err != nil {
			t.Error(err)
		}
		if n == len(plan.Engines) { // the last pair
			<-ctx.Done() // the run has ended
			if err := desk.SetAside("liar", []string{first}, "a pair"); err != nil {
				t.Error(err)
			}
		}
	}
	d := &Runner{Plan: plan, Store: store, Worker: workers.New, Remote: remote}
	result, err := d.Run(t.Context())
	if !errors.Is(err, ErrReopened) || result.Run.State != "interrupted" {
		t.Fatalf("the run is %s: %v", result.Run.State, err)
	}
	remote.act = func(ctx context.Context, n int, p *Pair, play func() []*arena.Game, desk *Desk) {
		if err := desk.Store(ctx, p, play()); err != nil {
			t.Error(err)
		}
	}
	result, err = d.Run(t.Context())
	ok(t, err)
	if result.Counted != 4 {
		t.Errorf("%d games count, want 4", result.Counted)
	}
}
