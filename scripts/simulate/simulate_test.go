package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"thera/arena"
	"thera/arena/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// With two hundred workers, of which many crash, lie or are silent, no game is lost or
// stored twice, and no false game is stored.
func TestSimulate(t *testing.T) {
	s := &scenario{
		Workers: 200, All: 1000, Seed: 7, Wait: 2 * time.Second, Delay: 2 * time.Millisecond, Game: 50 * time.Millisecond,
		Crashing: 0.05, Lying: 0.05, Slow: 0.05,
	}
	r := &simulated{scenario: s}
	err := r.play(t.Context(), filepath.Join(t.TempDir(), "thera.db"), func(url string) (func() error, error) {
		ctx, stop := context.WithCancel(t.Context())
		b, err := newBook(s.Seed)
		var done sync.WaitGroup
		done.Go(func() { (&fleet{s, b, url}).run(ctx) })
		return func() error {
			stop()
			done.Wait()
			return nil
		}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Refused == 0 || r.Gone == 0 || r.Silent == 0 || r.Games == 0 {
		t.Errorf("%d refused, %d expelled, %d silent, %d games: the simulation simulates nothing", r.Refused, r.Gone, r.Silent, r.Games)
	}
	var page bytes.Buffer
	if r.row(&page); len(r.broken) > 0 || len(r.Said) > 0 || !strings.Contains(page.String(), "| 200 | 1000 | 0 | 0 | 0 | ") {
		t.Error(&page)
	}
}

// The judge sees games that are missing, false or of no job.
func TestJudge(t *testing.T) {
	b, err := newBook(1)
	if err != nil {
		t.Fatal(err)
	}
	plan := b.plan(6, 1)
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "thera.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	run, _, err := db.Begin(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	id := plan.Identity([2]string{"a", "b"})
	for i, change := range []func(rec *arena.Game){
		func(*arena.Game) {},
		func(rec *arena.Game) { rec.Moves = rec.Moves[1:] },
		func(rec *arena.Game) { rec.Outcome.Winner = rec.Outcome.Winner.Other() },
		func(rec *arena.Game) { rec.Seconds++ },
		func(rec *arena.Game) { rec.ID = strings.Repeat("0", 32) },
	} {
		job := arena.Job{ID: id.Job(i/2, i%2), Pairing: [2]string{"a", "b"}, Round: 1, Pair: i / 2, Leg: i % 2, Index: i}
		rec := b.record(job, b.positions[i/2])
		rec.Started, rec.By = time.Now(), &arena.By{Worker: "w"}
		change(rec)
		if err := db.Put(t.Context(), run, rec); err != nil {
			t.Fatal(err)
		}
	}
	r := &simulated{scenario: &scenario{}}
	if err := r.judge(t.Context(), db, plan, b); err != nil {
		t.Fatal(err)
	}
	if r.Lost != 2 || r.Doubled != 1 || r.False != 3 || len(r.broken) != 6 {
		t.Errorf("%+v", r)
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"-workers", "x"}, {"-workers", "0"}, {"-games", "0"}, {"word"}} {
		if run(t.Context(), args, new(bytes.Buffer)) == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}
