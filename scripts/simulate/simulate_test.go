package main

import (
	"bytes"
	"context"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"thera/arena"
	"thera/arena/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Two hundred workers, of whom many crash, lie and fall silent: nothing is lost, nothing
// doubled, every lie is found.
func TestSimulate(t *testing.T) {
	s := &scenario{
		Workers: 200, Games: 1000, Seed: 7, Wait: 2 * time.Second,
		Delay: spread{2 * time.Millisecond, 0.5}, Game: spread{50 * time.Millisecond, 0.4},
		Crashing: 0.05, Lying: 0.05, Slow: 0.05,
	}
	b, err := newBook(s.Seed)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "thera.db")
	h := &host{scenario: s, plan: b.plan(s.Games, s.Seed), path: path}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r := &simulated{scenario: s}
	var all sync.WaitGroup
	report, err := h.run(ctx, func(url string) {
		all.Go(func() {
			f := &fleet{scenario: s, book: b, url: url}
			r.fleet = *f.run(ctx, 0, s.Workers)
		})
	})
	stop()
	all.Wait()
	if err != nil {
		t.Fatal(err)
	}
	r.host = *report
	if err := r.judge(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	v, told := r.verdict, 0
	for _, f := range v.Lies {
		told += f.Found
	}
	if len(v.Broken) > 0 || v.Games != s.Games || v.Lost+v.Doubled+v.False > 0 || report.Played != s.Games {
		t.Errorf("%d played, %+v", report.Played, v)
	}
	if told == 0 || r.fleet.Crashes == 0 || r.fleet.Freezes == 0 || len(v.Lies) < 3 {
		t.Errorf("%d lies found, %d crashes, %d silences, %v: the simulation simulates nothing", told, r.fleet.Crashes, r.fleet.Freezes, v.Lies)
	}
	for text := range report.Said {
		if strings.HasPrefix(text, "other: ") {
			t.Error(text)
		}
	}
	var page bytes.Buffer
	if err := table(&page, []*simulated{r}); err != nil || !strings.Contains(page.String(), "| 200 | 1000 | 0 | 0 | 0 | ") {
		t.Errorf("err = %v, tables:\n%s", err, &page)
	}
}

// What the judge is for is seen: games that are missing, false or of no job, and lies
// that nobody has found.
func TestJudge(t *testing.T) {
	b, err := newBook(1)
	if err != nil {
		t.Fatal(err)
	}
	plan := b.plan(6, 1)
	path := filepath.Join(t.TempDir(), "thera.db")
	db, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	run, _, err := db.Begin(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	id := plan.Identity([2]string{"a", "b"})
	put := func(pair, leg int, change func(rec *arena.Game)) {
		t.Helper()
		job := arena.Job{ID: id.Job(pair, leg), Pairing: [2]string{"a", "b"}, Round: 1, Pair: pair, Leg: leg, Index: 2*pair + leg}
		rec := b.record(job, b.positions[pair])
		rec.Started, rec.By = time.Now(), &arena.By{Worker: "w"}
		change(rec)
		if err := db.Put(t.Context(), run, rec); err != nil {
			t.Fatal(err)
		}
	}
	put(0, 0, func(*arena.Game) {})
	put(0, 1, func(rec *arena.Game) { rec.Moves = rec.Moves[1:] })
	put(1, 0, func(rec *arena.Game) { rec.Outcome.Winner = rec.Outcome.Winner.Other() })
	put(1, 1, func(rec *arena.Game) { rec.Seconds++ })
	put(2, 0, func(rec *arena.Game) { rec.ID = strings.Repeat("0", 32) })
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	now := time.Now().Add(time.Hour)
	told := []lie{
		{"liar", "x", id.Job(0, 0), id.Job(0, 0), now},
		{"liar", "x", id.Job(0, 1), "y", now},
		{"w", "x", id.Job(1, 0), id.Job(1, 0), now},
		{"liar", "x", id.Job(2, 1), id.Job(2, 1), now},
	}
	v, err := judge(t.Context(), path, plan, b, &hostReport{Found: []found{{"liar", "y"}}}, &fleetReport{Told: told})
	if err != nil {
		t.Fatal(err)
	}
	if v.Games != 6 || v.Lost != 2 || v.Doubled != 1 || v.False != 3 || v.Lies["x"] != (fate{Told: 4, Found: 1, Late: 1, Missed: 2}) || len(v.Broken) != 8 {
		t.Errorf("%+v", v)
	}
}

func TestPartOf(t *testing.T) {
	for want, stack := range map[string][]string{
		"replay":    {"runtime.mallocgc", "thera/engine/santorini/rules.Generate", "thera/arena/match.Verify", "thera/arena/remote.(*Host).take"},
		"unpacking": {"encoding/json.Unmarshal", "thera/arena/remote.(*Host).unpack", "thera/arena/remote.(*Host).take"},
		"storing":   {"modernc.org/sqlite/lib.x", "database/sql.(*Stmt).Exec", "thera/arena/store.(*writer).put"},
		"server":    {"syscall.write", "github.com/nats-io/nats-server/v2/server.(*client).flush"},
		"calls":     {"runtime.mallocgc", "thera/arena/remote.(*Host).call", "thera/arena/remote.(*Host).slot"},
		"schedule":  {"thera/arena/tournament.(*Fold).Next", "thera/arena/runner.(*run).fill"},
		"memory":    {"runtime.scanobject", "runtime.gcBgMarkWorker"},
		otherPart:   {"runtime.mcall"},
	} {
		if got := partOf(stack); got != want {
			t.Errorf("%v is of %q, want %q", stack, got, want)
		}
	}
}

func TestQuantile(t *testing.T) {
	var l lags
	for i := range 100 {
		l.add(time.Duration(i+1) * time.Millisecond)
	}
	for share, want := range map[float64]time.Duration{0.5: 50 * time.Millisecond, 0.99: 99 * time.Millisecond} {
		if got := quantile(l.counts[:], share); got < want || float64(got) > lagStep*float64(want) {
			t.Errorf("quantile %v is %v, want %v or a step above", share, got, want)
		}
	}
	if quantile(nil, 0.5) != 0 {
		t.Error("a quantile of nothing")
	}
}

// The same seed makes the same games in every process.
func TestBook(t *testing.T) {
	one, err := newBook(3)
	if err != nil {
		t.Fatal(err)
	}
	two, err := newBook(3)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(one, two) || len(one.games) != openings {
		t.Errorf("%d and %d games differ", len(one.games), len(two.games))
	}
	plies := 0
	for _, rec := range one.games {
		plies += len(rec.Moves)
	}
	if mean := float64(plies) / openings; mean < gamePlies-4 || mean > gamePlies+4 {
		t.Errorf("games have %v plies", mean)
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"-workers", "x"}, {"-workers", "0"}, {"-procs", "0"}, {"-games", "0"}, {"word"}} {
		if _, err := run(t.Context(), args, nil, new(bytes.Buffer)); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}
