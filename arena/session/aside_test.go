package session

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/arenatest"
)

// shared is a store to which a worker elsewhere brings every game of every third pair.
type shared struct{ *arenatest.Store }

func (s shared) Put(ctx context.Context, run int64, rec *arena.Game) error {
	if rec.Index/2%3 == 1 {
		rec.By = &arena.By{Worker: "lab1"}
	}
	return s.Store.Put(ctx, run, rec)
}

// A run of any format, of which the games of a worker were set aside, goes on as if these
// games had never been played, also if they end otherwise the second time.
func TestGamesAreSetAside(t *testing.T) {
	for _, format := range []string{"round-robin", "gauntlet", "swiss", "knockout", "cells", "sprt"} {
		store := arenatest.NewStore()
		before, err := (&Runner{Plan: planOfFormat(format, 2), Store: shared{store}, Worker: (&arenatest.Workers{Strength: strengths()}).New}).Run(t.Context())
		ok(t, err)
		n, err := store.SetWorkerAside(t.Context(), 1, "lab1", nil, "wrong build")
		if err != nil {
			t.Fatalf("%s: nothing to be set aside", format)
		}
		never := arenatest.NewStore()
		for _, rec := range store.Records() {
			ok(t, never.Put(t.Context(), 1, rec))
		}
		other := map[string]int{"a": 30, "b": 80, "c": 60, "d": 50}
		want := runAll(t, planOfFormat(format, 2), never, &arenatest.Workers{Strength: other})
		got := runAll(t, planOfFormat(format, 2), store, &arenatest.Workers{Strength: other})
		if got.Run.Games-got.Run.Played+n != before.Run.Played || got.Run.Played == 0 {
			t.Errorf("%s: %d games, %d set aside, %d kept, %d played", format, before.Run.Played, n, got.Run.Games-got.Run.Played, got.Run.Played)
		}
		if want.Stop.Text != got.Stop.Text {
			t.Errorf("%s: %q, want %q", format, got.Stop.Text, want.Stop.Text)
		}
		want.Run, got.Run = arena.RunInfo{}, arena.RunInfo{}
		if format == "sprt" { // how many games were under way when it decided is chance
			for _, sum := range []*arena.Summary{want, got} {
				sum.Surplus = 0
				sum.Warnings = slices.DeleteFunc(sum.Warnings, func(w arena.Warning) bool { return w.Kind == arena.WarnSurplus })
			}
		} else if diff := cmp.Diff(never.Games(), store.Games()); diff != "" {
			t.Errorf("%s: %s", format, diff)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", format, diff)
		}
		if last := runAll(t, planOfFormat(format, 2), store, &arenatest.Workers{Strength: other}); last.Run.Played != 0 || last.Stop.Text != got.Stop.Text {
			t.Errorf("%s: once more: %d played, %q", format, last.Run.Played, last.Stop.Text)
		}
	}
}
