package store

import (
	"context"
	"errors"
	"iter"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"thera/arena"
)

// seqOf returns a sequence of games that ends with err unless it is nil.
func seqOf(games []*arena.Game, err error) iter.Seq2[*arena.Game, error] {
	return func(yield func(*arena.Game, error) bool) {
		for _, rec := range games {
			if !yield(rec, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func TestImportBringsAllOrNothing(t *testing.T) {
	s := openTest(t)
	games := newDraw(1).pairs(10, "a", "b")
	plan := planOf("a", "b")
	info := arena.RunInfo{Name: "guest", Game: "pebbles", State: "finished", Plan: *plan, Remarks: []arena.Remark{{Text: "all is played"}}}
	torn := errors.New("torn")
	if n, err := s.Import(t.Context(), info, seqOf(games[:9], torn)); !errors.Is(err, torn) || n != 0 {
		t.Errorf("%d games, %v", n, err)
	}
	bad := *games[9]
	bad.Leg = 2
	for i, wrong := range [][]*arena.Game{{games[0], &bad}, newDraw(2).pairs(1, "a", "c")} { // c is not of the run
		if n, err := s.Import(t.Context(), info, seqOf(wrong, nil)); err == nil || n != 0 {
			t.Errorf("games %d: %d games, %v", i, n, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	stop := func(yield func(*arena.Game, error) bool) {
		cancel()
		_ = yield(games[0], nil)
	}
	if _, err := s.Import(ctx, info, stop); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	if runs, err := s.Runs(t.Context()); err != nil || len(runs) != 0 {
		t.Fatalf("%+v %v", runs, err)
	}
	for range 2 { // the second time nothing is new
		if n, err := s.Import(t.Context(), info, seqOf(games, nil)); err != nil || n != len(games) {
			t.Fatalf("%d games, %v", n, err)
		}
	}
	run, err := s.Find(t.Context(), "guest")
	if err != nil || run.State != "finished" || run.Games != len(games) || len(run.Remarks) != 1 {
		t.Errorf("%+v %v", run, err)
	}
	if diff := gocmp.Diff(games, gamesOf(t, s, run.ID, true), same); diff != "" {
		t.Error(diff)
	}
	// A failed import leaves the existing run unchanged.
	info.State = "interrupted"
	if _, err := s.Import(t.Context(), info, seqOf(newDraw(2).pairs(12, "a", "b")[20:22], torn)); !errors.Is(err, torn) {
		t.Errorf("err = %v", err)
	}
	if run, err := s.Find(t.Context(), "guest"); err != nil || run.State != "finished" || run.Games != len(games) {
		t.Errorf("%+v %v", run, err)
	}
	// Games can still be stored.
	if err := s.Put(t.Context(), run.ID, newDraw(2).game([2]string{"a", "b"}, 50, 0, 100, 3)); err != nil {
		t.Error(err)
	}
}
