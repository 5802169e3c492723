package store

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest"
)

func gamesOf(t *testing.T, s *Store, run int64, all bool) []*arena.Game {
	t.Helper()
	var got []*arena.Game
	for rec, err := range s.Games(t.Context(), run, all) {
		gametest.OK(t, err)
		got = append(got, rec)
	}
	return got
}

// same compares records. Empty and nil slices are equal.
var same = gocmp.Options{
	cmpopts.EquateEmpty(), cmpopts.EquateApproxTime(0), gocmp.Comparer(func(x, y arena.Status) bool { return x == y || x.Counts() && y.Counts() }),
}

func TestGamesComeBackAsTheyWere(t *testing.T) {
	s := openTest(t)
	run := beginTest(t, s, planOf("a", "b", "c"))
	want := newDraw(1).pairs(30, "a", "b", "c")
	gametest.OK(t, putAll(t.Context(), s, run, want))
	slices.SortFunc(want, func(x, y *arena.Game) int {
		return cmp.Or(cmp.Compare(x.Round, y.Round), cmp.Compare(x.Index, y.Index))
	})
	if diff := gocmp.Diff(want, gamesOf(t, s, run, false), same); diff != "" {
		t.Error(diff)
	}
	rec, info, err := s.Game(t.Context(), want[5].ID)
	gametest.OK(t, err)
	if diff := gocmp.Diff(want[5], rec, same); diff != "" || info.Name != "trial" || info.Games != len(want) {
		t.Errorf("run %+v, %s", info, diff)
	}
	// The same after the database was closed and opened again.
	gametest.OK(t, s.Close())
	again := openAt(t, s.Path())
	_, was, err := again.Begin(t.Context(), planOf("a", "b", "c"))
	gametest.OK(t, err)
	if diff := gocmp.Diff(arena.Map(want, (*arena.Game).Bare), was.Games); diff != "" {
		t.Error(diff)
	}
}

// A pair that is void is excluded with all its games, each attempt of it, and
// counts once it is played to its end.
func TestVoidPairs(t *testing.T) {
	s, run := begun(t)
	games := newDraw(3).pairs(2, "a", "b")
	pair := []string{games[0].ID, games[1].ID}
	stalled := func(of *arena.Game) *arena.Game {
		rec := *of
		rec.Source, rec.Outcome = arena.Stalled, game.Outcome{Reason: "stalled"}
		return &rec
	}
	void := func(of *arena.Game, attempt int) *arena.Game {
		rec := *of
		rec.Status, rec.Attempt = arena.StatusVoid, attempt
		return &rec
	}
	put := func(rec *arena.Game) { gametest.OK(t, s.Put(t.Context(), run, rec)) }
	spoil := func(rec *arena.Game) { gametest.OK(t, s.Void(t.Context(), run, stalled(rec), pair)) }
	put(games[2])
	put(games[0])
	spoil(games[1]) // the first game of the pair had ended
	spoil(games[0]) // nothing of it was there
	put(games[0])
	spoil(games[1])
	all := []*arena.Game{
		void(games[0], 1), void(stalled(games[0]), 2), void(games[0], 3), void(stalled(games[1]), 1), void(stalled(games[1]), 3), games[2],
	}
	if diff := gocmp.Diff([]*arena.Game{games[2]}, gamesOf(t, s, run, false), same); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff(all, gamesOf(t, s, run, true), same); diff != "" {
		t.Error(diff)
	}
	if rec, _, err := s.Game(t.Context(), games[1].ID); err != nil || rec.Status != arena.StatusVoid || rec.Attempt != 1 {
		t.Errorf("game %s: %+v, %v", games[1].ID, rec, err)
	}
	info, done, err := load(t, s, run)
	voids := arena.Map(done, func(f arena.Game) int { return f.Attempt })
	if err != nil || info.Games != 1 || !slices.Equal(voids, []int{1, 2, 3, 1, 3, 0}) {
		t.Errorf("%d games count, attempts %v, %v", info.Games, voids, err)
	}
	put(games[0])
	put(games[1])
	if diff := gocmp.Diff(games[:3], gamesOf(t, s, run, false), same); diff != "" {
		t.Error(diff)
	}
	if err := s.Void(t.Context(), run+7, stalled(games[3]), []string{games[3].ID}); err == nil {
		t.Error("a run that is not there was changed")
	}
}

// A pair with a damaged game is not excluded: nobody can tell what it was.
func TestVoidOfADamagedGame(t *testing.T) {
	s, run := begun(t)
	games := newDraw(3).pairs(1, "a", "b")
	gametest.OK(t, s.Put(t.Context(), run, games[0]))
	s.change(t, "UPDATE games SET figures = x'00'")
	rec := *games[1]
	rec.Source = arena.Stalled
	if err := s.Void(t.Context(), run, &rec, []string{games[0].ID, games[1].ID}); !errors.Is(err, ErrDamaged) {
		t.Errorf("err = %v", err)
	}
	if _, done, err := load(t, s, run); !errors.Is(err, ErrDamaged) || len(done) != 0 {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestPutRefusesWhatItCannotKeep(t *testing.T) {
	s, run := begun(t)
	bad := newDraw(4).game([2]string{"a", "b"}, 0, 0, 0, 2)
	bad.Leg = 2
	if err := s.Put(t.Context(), run, bad); err == nil || !strings.Contains(err.Error(), "leg 2") {
		t.Errorf("err = %v", err)
	}
	if err := s.Put(t.Context(), 99, newDraw(4).game([2]string{"a", "b"}, 0, 0, 0, 2)); err == nil || !strings.Contains(err.Error(), "no run 99") {
		t.Errorf("err = %v", err)
	}
	if got := gamesOf(t, s, run, true); len(got) != 0 {
		t.Errorf("%d games were stored", len(got))
	}
	s.Close()
	if err := s.Put(t.Context(), 99, newDraw(4).game([2]string{"a", "b"}, 0, 0, 0, 2)); !errors.Is(err, errClosed) {
		t.Errorf("err = %v", err)
	}
	if err := s.Note(t.Context(), run, "finished", ""); !errors.Is(err, errClosed) {
		t.Errorf("err = %v", err)
	}
}
