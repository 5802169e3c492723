package store

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/engine/gametest"
)

// schema1File is a database that a program of schema 1 wrote: the run trial of
// the engines b, a and c with newDraw(1).pairs(6, "a", "b", "c"), of which one
// game stalled first, and the run other with newDraw(2).pairs(2, "x", "y").
func schema1File(t *testing.T) (path string, data []byte) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "schema1.db.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err == nil {
		data, err = io.ReadAll(z)
	}
	path = filepath.Join(t.TempDir(), "thera.db")
	if err == nil {
		err = os.WriteFile(path, data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path, data
}

// checkSchema1 compares everything that can be read with what was put.
func checkSchema1(t *testing.T, s *Store) {
	t.Helper()
	games := newDraw(1).pairs(6, "a", "b", "c")
	var want []arena.Finished
	for _, g := range games {
		if g.Pairing == [2]string{"a", "b"} { // the plan names b first
			g = turned(g)
		}
		want = append(want, g.Finished())
	}
	slices.SortFunc(want, func(x, y arena.Finished) int { return byJob(&x, &y) })
	run, err := s.Find(t.Context(), "trial")
	if err != nil {
		t.Fatal(err)
	}
	info, engines, done, err := s.Load(t.Context(), run.ID)
	if err != nil {
		t.Fatal(err)
	}
	stalled := len(done)
	done = slices.DeleteFunc(done, func(f arena.Finished) bool { return f.Void == 1 && f.Source == arena.Stalled })
	if stalled -= len(done); stalled != 1 {
		t.Errorf("%d games stalled", stalled)
	}
	if diff := gocmp.Diff(want, done); diff != "" {
		t.Error(diff)
	}
	if info.State != "finished" || info.Remarks[0].Text != "all 3 rounds are played" || len(engines) != 3 || engines[0].Name != "b" {
		t.Errorf("%+v, engines %+v, %d games", info, engines, len(done))
	}
	if got := gamesOf(t, s, run.ID, true); len(got) != len(games)+1 {
		t.Errorf("%d games of %d and a stalled one", len(got), len(games))
	}
	for _, g := range games {
		rec, _, err := s.Game(t.Context(), g.ID)
		if err == nil && g.Pairing == [2]string{"a", "b"} {
			rec = turned(rec)
		}
		if diff := gocmp.Diff(g, rec, same); err != nil || diff != "" {
			t.Errorf("%s: %v %s", g.ID, err, diff)
		}
	}
	if rows, err := s.Openings(t.Context(), run.ID, 10); err != nil || len(rows) != 1 || rows[0].Games[0]+rows[0].Games[1]+rows[0].Games[2] != len(games) {
		t.Errorf("openings %+v, %v", rows, err)
	}
	runs, err := s.Runs(t.Context())
	if err != nil || len(runs) != 2 || runs[0].Name != "other" || runs[0].Games != 4 || runs[0].State != "interrupted" {
		t.Errorf("runs %+v, %v", runs, err)
	}
}

func TestSchema1IsMigrated(t *testing.T) {
	gametest.Sequential(t)
	path, _ := schema1File(t)
	for range 2 { // the second time there is nothing to do
		s := openAt(t, path)
		checkSchema1(t, s)
		var left int
		if err := s.reads.QueryRow(`SELECT count(*) FROM sqlite_schema WHERE name IN ('tallies', 'ends', 'warnings', 'seen', 'games_2', 'games_pair')`).Scan(&left); err != nil || left != 0 {
			t.Errorf("%d tables of schema 1 are left, %v", left, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// Games can be added, and a deleted run is deleted completely.
	s := openAt(t, path)
	other := planOf("x", "y")
	other.Name = "other"
	run := beginTest(t, s, other)
	if err := putAll(t.Context(), s, run, newDraw(2).pairs(3, "x", "y")); err != nil {
		t.Fatal(err)
	}
	if got := gamesOf(t, s, run, true); len(got) != 6 {
		t.Errorf("%d games", len(got))
	}
	if err := s.Remove(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := s.reads.QueryRow("SELECT count(*) FROM records WHERE game NOT IN (SELECT id FROM games)").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d records are left, %v", left, err)
	}
}

// A read-only database of schema 1 can be read.
func TestSchema1IsReadWithoutBeingWritten(t *testing.T) {
	gametest.Sequential(t)
	for _, words := range [][]string{{"mode=ro"}, {"mode=ro", "immutable=1"}} {
		path, data := schema1File(t)
		s, err := openReadOnly(t.Context(), path, words...)
		if err != nil {
			t.Fatal(err)
		}
		checkSchema1(t, s)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, data) {
			t.Errorf("the file was changed (%v)", err)
		}
	}
}

// A game of schema 1 that cannot be read does not affect the others.
func TestDamageInSchema1(t *testing.T) {
	gametest.Sequential(t)
	path, _ := schema1File(t)
	db, err := connect(path, 1)
	if err == nil {
		_, err = db.Exec("UPDATE records SET plies = x'0102' WHERE game = 3; DELETE FROM records WHERE game = 4")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s := openAt(t, path)
	_, _, done, err := s.Load(t.Context(), 1)
	if d := damageIn(t, err); len(d.Games) != 2 || len(done) != 35 { // one of them stalled
		t.Errorf("%d games, %v", len(done), err)
	}
}
