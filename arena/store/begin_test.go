package store

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/rating"
	"thera/engine/game"
)

func TestARunGoesOnWhereItStopped(t *testing.T) {
	s := openTest(t)
	plan := planOf("a", "b")
	run := beginTest(t, s, plan)
	ok(t, putAll(t.Context(), s, run, newDraw(1).pairs(2, "a", "b")))
	// What may change: more engines, rounds, concurrency, stopping rules, and
	// where this very binary lies.
	plan = planOf("c", "a", "b")
	plan.Format.Rounds, plan.Concurrency, plan.SPRT.Elo1, plan.Until.EloError = 50, 8, 5, 10
	again, first, err := s.Begin(t.Context(), plan)
	if err != nil || again != run || len(first.Games) != 4 {
		t.Fatalf("run %d, %d games, %v", again, len(first.Games), err)
	}
	info, engines, _, err := load(t, s, run)
	ok(t, err)
	var names []string
	for _, e := range engines {
		names = append(names, e.Name)
	}
	if got := strings.Join(names, " "); got != "c a b" || info.Plan.Format.Rounds != 50 {
		t.Errorf("engines %s, settings %+v", got, info.Plan)
	}
	// Another order of the engines only turns the pairings.
	turned, second, err := s.Begin(t.Context(), planOf("b", "a"))
	if err != nil || turned != run || len(second.Games) != 4 {
		t.Fatal(len(second.Games), err)
	}
	for i, f := range second.Games {
		was := first.Games[i]
		if f.ID != was.ID || f.Pairing != [2]string{"b", "a"} || f.Leg != 1-was.Leg || f.Winner() != arena.Turned(was.Winner()) || f.Guilty() != arena.Turned(was.Guilty()) {
			t.Errorf("%+v was %+v", f, was)
		}
	}
	for rec, err := range s.Games(t.Context(), run, false) {
		if err != nil || rec.Pairing != [2]string{"b", "a"} || rec.Engine(game.First) != map[byte]string{'0': "a", '1': "b"}[rec.ID[len(rec.ID)-1]] {
			t.Errorf("%+v %v", rec, err)
		}
	}
	// An engine that leaves keeps its games.
	if _, left, err := s.Begin(t.Context(), planOf("a")); err != nil || len(left.Games) != 4 {
		t.Errorf("%d games, %v", len(left.Games), err)
	}
	_, planned, done, err := load(t, s, run)
	if err != nil || len(planned) != 1 || len(done) != 4 || done[0].Pairing != [2]string{"a", "b"} {
		t.Errorf("engines %+v, games %+v, %v", planned, done, err)
	}
	if all, err := s.Engines(t.Context(), run); err != nil || len(all) != 3 || all[0].Name != "a" {
		t.Errorf("engines %+v, %v", all, err)
	}
}

func TestOtherConditionsAreRefusedWithWhatDiffers(t *testing.T) {
	s := openTest(t)
	planned := func() *arena.Plan {
		plan := planOf("a", "b")
		plan.Engines[1].Env = []string{"TOKEN=hunter2"}
		return plan
	}
	run := beginTest(t, s, planned())
	ok(t, putAll(t.Context(), s, run, newDraw(1).pairs(2, "a", "b")))
	beginTest(t, s, planned())
	for _, tt := range []struct {
		want   string
		change func(*arena.Plan)
	}{
		{`rules: was {}, is {"size":9}`, func(p *arena.Plan) { p.Rules = `{"size":9}` }},
		{"limit.depth: was 3, is 4", func(p *arena.Plan) { p.Limit.Depth = 4 }},
		{"engines.a.binary: was sha of a, is new", func(p *arena.Plan) { p.Engines[0].Binary = "new" }},
		{"engines.b.env: was TOKEN=sha256:", func(p *arena.Plan) { p.Engines[1].Env = []string{"TOKEN=hunter3"} }},
		{"engines.b.limit.depth: was 3, is 4", func(p *arena.Plan) { p.Engines[1].Limit.Depth = 4 }},
	} {
		plan := planned()
		tt.change(plan)
		_, _, err := s.Begin(t.Context(), plan)
		var changed *ChangedError
		if !errors.As(err, &changed) || changed.Games != 4 || len(changed.Differences) != 1 || !strings.HasPrefix(changed.Differences[0], tt.want) {
			t.Errorf("err = %v, want %s", err, tt.want)
		}
	}
	// A refused Begin changes nothing.
	if info, err := s.Find(t.Context(), "trial"); err != nil || info.Plan.Seed != 7 || info.Plan.Rules != "{}" {
		t.Errorf("settings %+v, %v", info.Plan, err)
	}
	// Without games there is nothing to mix.
	fresh := planOf("a")
	fresh.Name = "other"
	beginTest(t, s, fresh)
	fresh.Seed = 99
	beginTest(t, s, fresh)
}

// A run with void games alone is kept too when its name is used again.
func TestHoleVoidRunIsSetAside(t *testing.T) {
	s := openTest(t)
	run := beginTest(t, s, planOf("a", "b"))
	rec := newDraw(1).pairs(1, "a", "b")[0]
	rec.Source, rec.Outcome = arena.Stalled, game.Outcome{Reason: "stalled"}
	ok(t, s.Void(t.Context(), run, rec, []string{rec.ID}))
	if aside, err := s.SetAside(t.Context(), "trial"); err != nil || aside != "trial~1" {
		t.Errorf("%q %v", aside, err)
	}
}

func TestRunsAreListedFoundRemovedAndSetAside(t *testing.T) {
	s := openTest(t)
	if _, err := s.Find(t.Context(), ""); !errors.Is(err, ErrUnknown) {
		t.Errorf("err = %v", err)
	}
	first := planOf("a", "b")
	run := beginTest(t, s, first)
	games := newDraw(1).pairs(3, "a", "b")
	ok(t, putAll(t.Context(), s, run, games))
	if aside, err := s.SetAside(t.Context(), "trial"); err != nil || aside != "trial~1" {
		t.Fatalf("%q %v", aside, err)
	}
	second := beginTest(t, s, first)
	if second == run {
		t.Fatal("a run that was set aside was resumed")
	}
	ok(t, putAll(t.Context(), s, second, games[:2]))
	ok(t, s.Note(t.Context(), second, "finished", "H1"))
	runs, err := s.Runs(t.Context())
	if err != nil || len(runs) != 2 || runs[0].ID != second || runs[0].Games != 2 || runs[0].State != "finished" || runs[0].Remarks[0].Text != "H1" {
		t.Fatalf("%+v %v", runs, err)
	}
	for word, want := range map[string]int64{"": second, "trial": second, "trial~1": run, "#1": run} {
		if got, err := s.Find(t.Context(), word); err != nil || got.ID != want {
			t.Errorf("%q is run %d, %v", word, got.ID, err)
		}
	}
	if _, err := s.Find(t.Context(), "nobody"); err == nil || !strings.Contains(err.Error(), `unknown run "nobody" (there are: trial, trial~1)`) {
		t.Errorf("err = %v", err)
	}
	// If two runs have the same identity, the latest counts; an ambiguous
	// word is an error.
	if rec, info, err := s.Game(t.Context(), games[0].ID); err != nil || info.ID != second || rec.ID != games[0].ID {
		t.Errorf("%v %v", info, err)
	}
	if _, _, err := s.Game(t.Context(), "a-b"); err == nil || !strings.Contains(err.Error(), "several games begin with") {
		t.Errorf("err = %v", err)
	}
	for _, word := range []string{"", "zzz"} {
		if _, _, err := s.Game(t.Context(), word); !errors.Is(err, ErrUnknown) {
			t.Errorf("err = %v", err)
		}
	}
	ok(t, s.Remove(t.Context(), run))
	var left int
	if err := s.reads.QueryRow(`SELECT (SELECT count(*) FROM games WHERE run = 1) + (SELECT count(*) FROM records) - 2`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows are left of a removed run, %v", left, err)
	}
	if err := s.reads.QueryRow("SELECT freelist_count FROM pragma_freelist_count").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d pages of a removed run are empty, %v", left, err)
	}
	if err := s.Note(t.Context(), run, "finished", ""); err == nil {
		t.Error("a removed run was noted")
	}
	// Games of the removed run are refused, and the other run continues.
	if err := s.Put(t.Context(), run, games[4]); err == nil {
		t.Error("a game was put to a removed run")
	}
	if err := s.Put(t.Context(), second, games[4]); err != nil {
		t.Error(err)
	}
}

// The run keeps what decided before about the games that were there.
func TestEarlierBoundsAreKept(t *testing.T) {
	s := openTest(t)
	games := newDraw(1).pairs(5, "a", "b")
	bounds := func(elo1, alpha float64, model rating.Model) arena.SPRT {
		return arena.SPRT{Elo1: elo1, Alpha: alpha, Beta: 0.05, Model: model}
	}
	first, wider := bounds(5, 0.05, "normalized"), bounds(10, 0.1, "bayesian")
	var run int64
	var want []arena.Earlier
	before := func(format string, test arena.SPRT, rounds int) {
		want = append(want, arena.Earlier{SPRT: test, Format: format, Rounds: rounds, Games: 10})
	}
	begin := func(format string, test arena.SPRT, rounds int) {
		t.Helper()
		plan := planOf("a", "b")
		plan.Format.Name, plan.Format.Rounds, plan.SPRT = format, rounds, test
		settings := *plan
		run = beginTest(t, s, plan)
		if !reflect.DeepEqual(settings, *plan) {
			t.Errorf("the store wrote into the plan: %+v", plan)
		}
		info, err := s.Find(t.Context(), "trial")
		if err != nil || info.Plan.SPRT != test || !slices.Equal(info.Plan.Earlier, want) {
			t.Errorf("%+v: earlier %+v, want %+v (%v)", test, info.Plan.Earlier, want, err)
		}
	}
	begin("sprt", bounds(1, 0.05, "logistic"), 5) // no game is tested under it
	begin("sprt", first, 5)
	ok(t, putAll(t.Context(), s, run, games))
	begin("sprt", first, 50) // more pairs for the same test
	before("sprt", first, 50)
	begin("sprt", wider, 50)
	before("sprt", wider, 50)
	begin("round-robin", first, 50) // which tests nothing
	// An import adds those of the file.
	info, engines, _, err := load(t, s, run)
	ok(t, err)
	elsewhere := openTest(t)
	info.Name = "guest"
	if _, err := elsewhere.Import(t.Context(), info, engines, seqOf(games, nil)); err != nil {
		t.Fatal(err)
	}
	guest, err := elsewhere.Find(t.Context(), "guest")
	if err != nil || !slices.Equal(guest.Plan.Earlier, info.Plan.Earlier) || len(info.Plan.Earlier) == 0 {
		t.Errorf("imported: %+v, want %+v (%v)", guest.Plan.Earlier, info.Plan.Earlier, err)
	}
}

func TestAbandonRemovesOnlyAnEmptyRun(t *testing.T) {
	s := openTest(t)
	run := beginTest(t, s, planOf("a", "b"))
	ok(t, s.Note(t.Context(), run, "running", "careful"))
	ok(t, s.Abandon(t.Context(), run))
	var left int
	if err := s.reads.QueryRow("SELECT count(*) FROM runs").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows are left, %v", left, err)
	}
	games := newDraw(1).pairs(1, "a", "b")
	stalled := *games[1]
	stalled.Source = arena.Stalled
	for _, rec := range []*arena.Game{games[0], &stalled} {
		plan := planOf("a", "b")
		plan.Name = string(rec.Source)
		run := beginTest(t, s, plan)
		err := s.Put(t.Context(), run, rec)
		if rec == &stalled {
			err = s.Void(t.Context(), run, rec, []string{rec.ID})
		}
		ok(t, err)
		ok(t, s.Abandon(t.Context(), run))
		if got := gamesOf(t, s, run, true); len(got) != 1 {
			t.Errorf("%s: %d games are left", rec.Source, len(got))
		}
	}
}
