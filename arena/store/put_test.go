package store

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"thera/arena"
	"thera/engine/game"
)

func gamesOf(t *testing.T, s *Store, run int64, all bool) []*arena.Record {
	t.Helper()
	var got []*arena.Record
	for rec, err := range s.Games(t.Context(), run, all) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, rec)
	}
	return got
}

// same compares records. Empty and nil slices are equal.
var same = gocmp.Options{cmpopts.EquateEmpty(), cmpopts.EquateApproxTime(0)}

func TestGamesComeBackAsTheyWere(t *testing.T) {
	s := openTest(t)
	run := beginTest(t, s, planOf("a", "b", "c"))
	want := newDraw(1).pairs(30, "a", "b", "c")
	if err := putAll(t.Context(), s, run, want); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(want, func(x, y *arena.Record) int {
		return cmp.Or(cmp.Compare(x.Round, y.Round), cmp.Compare(x.Index, y.Index))
	})
	if diff := gocmp.Diff(want, gamesOf(t, s, run, false), same); diff != "" {
		t.Error(diff)
	}
	rec, info, err := s.Game(t.Context(), want[5].ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want[5], rec, same); diff != "" || info.Name != "trial" || info.Games != len(want) {
		t.Errorf("run %+v, %s", info, diff)
	}
	// The same after the database was closed and opened again.
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, s.Path())
	_, done, err := again.Begin(t.Context(), planOf("a", "b", "c"))
	if err != nil {
		t.Fatal(err)
	}
	var finished []arena.Finished
	for _, rec := range want {
		finished = append(finished, rec.Finished())
	}
	if diff := gocmp.Diff(finished, done); diff != "" {
		t.Error(diff)
	}
}

func TestAnIdentityIsStoredOnce(t *testing.T) {
	s := openTest(t)
	run := beginTest(t, s, planOf("a", "b"))
	games := newDraw(2).pairs(1, "a", "b")
	other := *games[0]
	other.Moves = other.Moves[:1]
	for _, rec := range []*arena.Record{games[0], &other, games[1], games[0]} {
		if err := s.Put(t.Context(), run, rec); err != nil {
			t.Fatal(err)
		}
	}
	if diff := gocmp.Diff(games, gamesOf(t, s, run, true), same); diff != "" {
		t.Error(diff)
	}
	info, _, done, _, err := s.Load(t.Context(), run)
	if err != nil || info.Games != 2 || len(done) != 2 {
		t.Errorf("counted twice: %d games, %d finished, %v", info.Games, len(done), err)
	}
}

func TestStalledGamesAreInNoCount(t *testing.T) {
	s := openTest(t)
	run := beginTest(t, s, planOf("a", "b"))
	games := newDraw(3).pairs(1, "a", "b")
	stalled := *games[0]
	stalled.Source = arena.Stalled
	for _, rec := range []*arena.Record{&stalled, games[0], games[1]} {
		if err := s.Put(t.Context(), run, rec); err != nil {
			t.Fatal(err)
		}
	}
	if diff := gocmp.Diff(games, gamesOf(t, s, run, false), same); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff([]*arena.Record{&stalled, games[0], games[1]}, gamesOf(t, s, run, true), same); diff != "" {
		t.Error(diff)
	}
	info, _, done, count, err := s.Load(t.Context(), run)
	if err != nil || count != 1 || info.Games != 2 || len(done) != 2 {
		t.Errorf("stalled %d, games %d, %d finished, %v", count, info.Games, len(done), err)
	}
}

func TestPutRefusesWhatItCannotKeep(t *testing.T) {
	s := openTest(t)
	run := beginTest(t, s, planOf("a", "b"))
	bad := newDraw(4).game([2]string{"a", "b"}, 0, 0, 0, 2)
	bad.Moves[1] = "two\nlines"
	if err := s.Put(t.Context(), run, bad); err == nil || !strings.Contains(err.Error(), "move 2") {
		t.Errorf("err = %v", err)
	}
	stranger := newDraw(4).game([2]string{"a", "z"}, 0, 0, 0, 2)
	if err := s.Put(t.Context(), run, stranger); err == nil || !strings.Contains(err.Error(), "engine z is not of run") {
		t.Errorf("err = %v", err)
	}
	if err := s.Put(t.Context(), 99, newDraw(4).game([2]string{"a", "b"}, 0, 0, 0, 2)); err == nil || !strings.Contains(err.Error(), "no run 99") {
		t.Errorf("err = %v", err)
	}
	if got := gamesOf(t, s, run, true); len(got) != 0 {
		t.Errorf("%d games were stored", len(got))
	}
	s.Close()
	if err := s.Put(t.Context(), run, stranger); !errors.Is(err, errClosed) {
		t.Errorf("err = %v", err)
	}
	if err := s.Note(t.Context(), run, "finished", ""); !errors.Is(err, errClosed) {
		t.Errorf("err = %v", err)
	}
}

func TestPliesFormRefusesTornBytes(t *testing.T) {
	b := packPlies([]arena.Ply{{Seat: 2, Wall: time.Second, Nodes: 1 << 40, Score: -3, Scored: true}})
	if got, err := unpackPlies(b); err != nil || len(got) != 1 || got[0].Score != -3 || got[0].Seat != 2 {
		t.Errorf("%+v %v", got, err)
	}
	said := arena.Ply{Seat: 1, Wall: time.Second, Said: &game.Details{
		Time: 5, Score: -1.5, CurrMove: "UP", CurrLine: "UP UP", PV: "LEFT", Target: "(1,2)", Texts: []string{"a\nb", "c"},
	}}
	more := packPlies([]arena.Ply{said})
	if got, err := unpackPlies(more); err != nil || gocmp.Diff([]arena.Ply{said}, got) != "" {
		t.Errorf("%+v %v", got, err)
	}
	if b[0] != pliesForm || more[0] != pliesFormSaid {
		t.Errorf("forms %d and %d: what says no more keeps the first form", b[0], more[0])
	}
	for _, b := range [][]byte{b, more} {
		for n := 2; n < len(b); n++ {
			if _, err := unpackPlies(b[:n]); err == nil {
				t.Errorf("%d of %d bytes were read", n, len(b))
			}
		}
	}
	if _, err := unpackPlies([]byte{9}); err == nil {
		t.Error("an unknown form was read")
	}
}
