package session

import (
	"context"
	"errors"
	"testing"

	"thera/arena"
	"thera/arena/arenatest"
)

// Who has the last pair stored and holds the run finds it as it was: games that are set aside then are
// played again in the same start. When it has ended nothing is set aside any more.
func TestSetAsideAtTheEnd(t *testing.T) {
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
			if err := run.SetAside("liar", nil, "all"); err != nil {
				t.Error(err)
			}
		}
	}
	result, err := (&Runner{Plan: plan, Store: store, Worker: workers.New, Remote: remote}).Run(t.Context())
	ok(t, err)
	if result.Run.State != "finished" || result.Counted != 4 {
		t.Errorf("the run is %s, %d games count", result.Run.State, result.Counted)
	}
	if err := held.SetAside("", nil, "late"); !errors.Is(err, ErrEnded) {
		t.Errorf("after its end: %v", err)
	}
}
