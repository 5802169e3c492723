package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/engine/gametest"
)

// byTurns are the games of n pairs, of which this machine, lab1 and lab2 played one pair
// after another.
func byTurns(n int) []*arena.Record {
	games := newDraw(3).pairs(n, "a", "b")
	for i, rec := range games {
		if w := i / 2 % 3; w > 0 {
			rec.By = &arena.By{Worker: []string{"", "lab1", "lab2"}[w], Speed: float64(w)}
		}
	}
	return games
}

// The games of a worker are set aside completely, with the reason, and can be put again;
// the others stay.
func TestSetWorkerAside(t *testing.T) {
	gametest.Sequential(t)
	s := openTest(t)
	run := beginTest(t, s, planOf("a", "b"))
	games := byTurns(9)
	if err := putAll(t.Context(), s, run, games); err != nil {
		t.Fatal(err)
	}
	if err := s.Note(t.Context(), run, "finished", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.SetWorkerAside(t.Context(), run, "lab3", "x"); !errors.Is(err, errNothing) || !strings.Contains(err.Error(), "(workers with games: lab1, lab2)") {
		t.Errorf("err = %v", err)
	}
	for turn := 1; turn <= 2; turn++ {
		n, err := s.SetWorkerAside(t.Context(), run, "lab1", "wrong build")
		if err != nil || n != 6 {
			t.Fatalf("%d games, %v", n, err)
		}
		info, _, done, err := s.Load(t.Context(), run)
		if err != nil || info.Games != 12 || info.State != "interrupted" {
			t.Fatalf("%+v, %v", info, err)
		}
		if last := info.Remarks[len(info.Remarks)-1].Text; last != "set aside "+string(rune('0'+turn))+": 6 games of worker lab1: wrong build" {
			t.Errorf("remark %q", last)
		}
		aside := slices.DeleteFunc(slices.Clone(done), func(f arena.Finished) bool { return f.Void != -turn })
		if len(done) != 12+6*turn || len(aside) != 6 {
			t.Errorf("%d games, %d set aside", len(done), len(aside))
		}
		if counts := gamesOf(t, s, run, false); len(counts) != 12 || slices.ContainsFunc(counts, func(r *arena.Record) bool { return r.By != nil && r.By.Worker == "lab1" }) {
			t.Errorf("%d games count", len(counts))
		}
		played, err := s.Played(t.Context(), run)
		if err != nil || len(played) != 6+6*turn || played[arena.Played{ID: games[2].ID, Void: -turn}].Worker != "lab1" || played[arena.Played{ID: games[4].ID}].Speed != 2 {
			t.Errorf("played %v, %v", played, err)
		}
		// One that is set aside can still be shown, as long as none counts.
		if rec, _, err := s.Game(t.Context(), games[2].ID); err != nil || rec.Void != -1 {
			t.Errorf("%+v, %v", rec, err)
		}
		if rec, err := s.Stored(t.Context(), run, games[2].ID); err != nil || rec != nil {
			t.Errorf("it counts: %+v, %v", rec, err)
		}
		if err := putAll(t.Context(), s, run, games); err != nil { // the others are there
			t.Fatal(err)
		}
		if rec, _, err := s.Game(t.Context(), games[2].ID); err != nil || rec.Void != 0 {
			t.Errorf("%+v, %v", rec, err)
		}
		if rec, err := s.Stored(t.Context(), run, games[2].ID); err != nil || rec == nil || rec.Void != 0 {
			t.Errorf("%+v, %v", rec, err)
		}
		if info, _, _, err := s.Load(t.Context(), run); err != nil || info.Games != 18 {
			t.Errorf("%+v, %v", info, err)
		}
	}
	// A pair that stalls then is void as the first attempt.
	void := *games[2]
	void.Source = arena.Stalled
	if err := s.Void(t.Context(), run, &void, []string{games[2].ID, games[3].ID}); err != nil {
		t.Fatal(err)
	}
	var attempts []int
	for _, rec := range gamesOf(t, s, run, true) {
		if rec.Pair == games[2].Pair {
			attempts = append(attempts, rec.Void)
		}
	}
	if slices.Sort(attempts); !slices.Equal(attempts, []int{-2, -2, -1, -1, 1, 1}) {
		t.Errorf("attempts %v", attempts)
	}
}

func TestIncidents(t *testing.T) {
	gametest.Sequential(t)
	s := openTest(t)
	run := beginTest(t, s, planOf("a", "b"))
	want := []arena.Incident{
		{Worker: "lab1", Kind: arena.GameRefused, Game: "g1", Text: "ply 3: no"},
		{Worker: "lab1", Kind: arena.GameRefused, Game: "g1", Text: "ply 3: no"},
		{Worker: "lab2", Kind: arena.AuditDue, Game: "g2"},
		{Worker: "lab2", Kind: arena.AuditEqual, Game: "g2", Text: "by lab1"},
	}
	for i := range want {
		want[i].Time = time.UnixMilli(1_700_000_000_000)
		for range 2 {
			if err := s.Incident(t.Context(), run, want[i]); err != nil {
				t.Fatal(err)
			}
			if want[i].Kind == arena.GameRefused {
				break
			}
		}
	}
	got, err := s.Incidents(t.Context(), run)
	if diff := gocmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	db, err := connect(s.Path(), 1)
	if err == nil {
		_, err = db.Exec("UPDATE incidents SET worker = 'lab3' WHERE id = 1")
	}
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Incidents(t.Context(), run); !errors.Is(err, ErrDamaged) {
		t.Errorf("err = %v", err)
	}
	if err := s.Remove(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Incidents(t.Context(), run); err != nil || len(got) > 0 {
		t.Errorf("%v, %v", got, err)
	}
}

// A database of schema 3 gets what is new, and one that cannot be written can be read.
func TestSchema3IsMigrated(t *testing.T) {
	gametest.Sequential(t)
	path := filepath.Join(t.TempDir(), "thera.db")
	old, err := open(t.Context(), path, migrations[:3])
	if err != nil {
		t.Fatal(err)
	}
	run, _, err := old.Begin(t.Context(), planOf("a", "b"))
	if err == nil {
		err = putAll(t.Context(), old, run, byTurns(6))
	}
	if err := errors.Join(err, old.Close()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	read, err := openReadOnly(context.Background(), path, "mode=ro", "immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	played, err := read.Played(t.Context(), run)
	incidents, err2 := read.Incidents(t.Context(), run)
	if err := errors.Join(err, err2, read.Close()); err != nil || len(played) != 8 || len(incidents) != 0 {
		t.Errorf("%d games of workers, %v, %v", len(played), incidents, err)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(data) {
		t.Errorf("the file was changed (%v)", err)
	}
	s := openAt(t, path)
	if n, err := s.SetWorkerAside(t.Context(), run, "lab2", "x"); n != 4 || err != nil {
		t.Errorf("%d games, %v", n, err)
	}
	if err := s.Incident(t.Context(), run, arena.Incident{Time: time.Now(), Worker: "lab1", Kind: arena.Expelled}); err != nil {
		t.Error(err)
	}
}
