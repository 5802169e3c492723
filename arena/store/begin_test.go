package store

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/rating"
	"thera/engine/game"
	"thera/engine/gametest"
)

func TestARunGoesOnWhereItStopped(t *testing.T) {
	s, run := begun(t)
	gametest.OK(t, putAll(t.Context(), s, run, newDraw(1).pairs(2, "a", "b")))
	// What may change: more engines, rounds, concurrency, stopping rules, and
	// where this very binary lies.
	plan := planOf("c", "a", "b")
	plan.Format.Rounds, plan.Concurrency, plan.SPRT.Elo1, plan.Until.EloError = 50, 8, 5, 10
	again, first, err := s.Begin(t.Context(), plan)
	if err != nil || again != run || len(first.Games) != 4 {
		t.Fatalf("run %d, %d games, %v", again, len(first.Games), err)
	}
	info, _, err := load(t, s, run)
	gametest.OK(t, err)
	names := arena.Map(info.Plan.Engines, func(e arena.EngineSpec) string { return e.Name })
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
	info, done, err := load(t, s, run)
	if err != nil || len(info.Plan.Engines) != 1 || len(done) != 4 || done[0].Pairing != [2]string{"a", "b"} {
		t.Errorf("engines %+v, games %+v, %v", info.Plan.Engines, done, err)
	}
	if all := info.Engines(); len(all) != 3 || all[0].Name != "a" {
		t.Errorf("engines %+v", all)
	}
	back := planOf("a", "b") // and comes back as it was, or not at all
	back.Engines[1].Binary = "other"
	if _, _, err := s.Begin(t.Context(), back); !errors.As(err, new(*ChangedError)) {
		t.Errorf("err = %v", err)
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
	gametest.OK(t, putAll(t.Context(), s, run, newDraw(1).pairs(2, "a", "b")))
	beginTest(t, s, planned())
	other := planned()
	other.Rules, other.Engines[0].Binary, other.Engines[1].Env = `{"size":9}`, "new", []string{"TOKEN=hunter3"}
	_, _, err := s.Begin(t.Context(), other)
	var changed *ChangedError
	if !errors.As(err, &changed) || changed.Games != 4 || len(changed.Differences) != 3 {
		t.Fatalf("err = %v", err)
	}
	for i, want := range []string{`rules: was {}, is {"size":9}`, "engines.a.binary: was sha of a, is new", "engines.b.env: was TOKEN=sha256:"} {
		if !strings.HasPrefix(changed.Differences[i], want) {
			t.Errorf("%q, want %s", changed.Differences[i], want)
		}
	}
	// A refused Begin changes nothing, and no value of env is stored.
	info, err := s.Find(t.Context(), "trial")
	if err != nil || info.Plan.Seed != 7 || info.Plan.Rules != "{}" || strings.Contains(info.Plan.Engines[1].Env[0], "hunter") {
		t.Errorf("settings %+v, %v", info.Plan, err)
	}
	// Without games there is nothing to mix.
	fresh := planOf("a")
	fresh.Name = "other"
	beginTest(t, s, fresh)
	fresh.Seed = 99
	beginTest(t, s, fresh)
}

func TestRunsAreListedFoundRemovedAndRetired(t *testing.T) {
	s := openTest(t)
	if _, err := s.Find(t.Context(), ""); !errors.Is(err, ErrUnknown) {
		t.Errorf("err = %v", err)
	}
	first := planOf("a", "b")
	run := beginTest(t, s, first)
	games := newDraw(1).pairs(3, "a", "b")
	gametest.OK(t, putAll(t.Context(), s, run, games))
	if kept, err := s.Retire(t.Context(), "trial"); err != nil || kept != "trial~1" {
		t.Fatalf("%q %v", kept, err)
	}
	second := beginTest(t, s, first)
	if second == run {
		t.Fatal("a retired run was resumed")
	}
	gametest.OK(t, putAll(t.Context(), s, second, games[:2]))
	gametest.OK(t, s.Note(t.Context(), second, "finished", "H1"))
	runs, err := s.Runs(t.Context())
	if err != nil || len(runs) != 2 || runs[0].ID != second || runs[0].Games != 2 || runs[0].State != "finished" || runs[0].Remarks[0].Text != "H1" {
		t.Fatalf("%+v %v", runs, err)
	}
	for word, want := range map[string]int64{"": second, "trial": second, "trial~1": run, "#1": run} {
		if got, err := s.Find(t.Context(), word); err != nil || got.ID != want {
			t.Errorf("%q is run %d, %v", word, got.ID, err)
		}
	}
	if _, err := s.Find(t.Context(), "nobody"); err == nil || !strings.Contains(err.Error(), `unknown run "nobody" (there are: "trial", "trial~1")`) {
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
	gametest.OK(t, s.Remove(t.Context(), run))
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
	earlier := func(test arena.SPRT) arena.Earlier {
		return arena.Earlier{SPRT: test, Format: "sprt", Rounds: 50, Games: 10}
	}
	var run int64
	for i, tt := range []struct {
		format string
		test   arena.SPRT
		rounds int
		want   []arena.Earlier
	}{
		{"sprt", bounds(1, 0.05, "logistic"), 5, nil}, // no game is tested under it
		{"sprt", first, 5, nil},
		{"sprt", first, 50, nil}, // more pairs for the same test
		{"sprt", wider, 50, []arena.Earlier{earlier(first)}},
		{"round-robin", first, 50, []arena.Earlier{earlier(first), earlier(wider)}}, // which tests nothing
	} {
		plan := planOf("a", "b")
		plan.Format.Name, plan.Format.Rounds, plan.SPRT = tt.format, tt.rounds, tt.test
		run = beginTest(t, s, plan)
		info, err := s.Find(t.Context(), "trial")
		if err != nil || info.Plan.SPRT != tt.test || !slices.Equal(info.Plan.Earlier, tt.want) {
			t.Errorf("%+v: earlier %+v, want %+v (%v)", tt.test, info.Plan.Earlier, tt.want, err)
		}
		if i == 1 {
			gametest.OK(t, putAll(t.Context(), s, run, games))
		}
	}
	// An import adds those of the file.
	info, _, err := load(t, s, run)
	gametest.OK(t, err)
	elsewhere := openTest(t)
	info.Name = "guest"
	_, err = elsewhere.Import(t.Context(), info, seqOf(games, nil))
	gametest.OK(t, err)
	guest, err := elsewhere.Find(t.Context(), "guest")
	if err != nil || !slices.Equal(guest.Plan.Earlier, info.Plan.Earlier) || len(info.Plan.Earlier) == 0 {
		t.Errorf("imported: %+v, want %+v (%v)", guest.Plan.Earlier, info.Plan.Earlier, err)
	}
}

func TestAbandonRemovesOnlyAnEmptyRun(t *testing.T) {
	s, run := begun(t)
	gametest.OK(t, s.Note(t.Context(), run, "running", "careful"))
	gametest.OK(t, s.Abandon(t.Context(), run))
	var left int
	if err := s.reads.QueryRow("SELECT count(*) FROM runs").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows are left, %v", left, err)
	}
	// A run with a void game alone is kept, also when its name is used again.
	run = beginTest(t, s, planOf("a", "b"))
	stalled := newDraw(1).pairs(1, "a", "b")[0]
	stalled.Source = arena.Stalled
	gametest.OK(t, s.Void(t.Context(), run, stalled, []string{stalled.ID}))
	gametest.OK(t, s.Abandon(t.Context(), run))
	if got := gamesOf(t, s, run, true); len(got) != 1 {
		t.Errorf("%d games are left", len(got))
	}
	if kept, err := s.Retire(t.Context(), "trial"); err != nil || kept != "trial~1" {
		t.Errorf("%q %v", kept, err)
	}
}
