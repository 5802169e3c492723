package store

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// damageIn returns the Damage in err.
func damageIn(t *testing.T, err error) *Damage {
	t.Helper()
	var d *Damage
	if !errors.As(err, &d) || !errors.Is(err, ErrDamaged) {
		t.Fatalf("err = %v, want *Damage", err)
	}
	return d
}

// change changes a closed database without the store.
func change(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	gametest.OK(t, err)
	_, err = db.Exec(statement)
	gametest.OK(t, errors.Join(err, db.Close()))
}

func TestDamagedGamesAreNamedAndTheOthersRead(t *testing.T) {
	gametest.Sequential(t)
	for name, tt := range map[string]struct {
		statement string
		load      bool // the columns are damaged, not the moves alone
		lost      int
	}{
		"json":       {"UPDATE records SET json = substr(json, 1, 60) || x'07' || substr(json, 62) WHERE game = 7", false, 0},
		"type":       {"UPDATE records SET json = 7 WHERE game = 7", false, 0},
		"no moves":   {"DELETE FROM records WHERE game = 7", false, 0},
		"another's":  {"UPDATE records SET json = (SELECT json FROM records WHERE game = 8) WHERE game = 7", false, 0},
		"figures":    {"UPDATE games SET figures = figures || x'00' WHERE id = 7", true, 0},
		"kind":       {"UPDATE games SET figures = 7 WHERE id = 7", true, 0},
		"leg":        {"UPDATE games SET leg = 1 - leg WHERE id = 7", true, 0},
		"identity":   {"UPDATE games SET identity = 'nobody' WHERE id = 7", true, 0},
		"of another": {"UPDATE games SET sum = (SELECT sum FROM games WHERE id = 8) WHERE id = 7", true, 0},
		"status":     {"UPDATE games SET status = 'void' WHERE id = 7", true, 0},
		"gone":       {"PRAGMA foreign_keys = OFF; DELETE FROM games WHERE id = 7", true, 1},
	} {
		path, _ := filled(t)
		change(t, path, tt.statement)
		s, err := Existing(t.Context(), path)
		gametest.OK(t, err)
		info, done, err := load(t, s, 1)
		if !tt.load && (err != nil || len(done) != 80) {
			t.Errorf("%s: %d games, %v", name, len(done), err)
		} else if tt.load {
			d := damageIn(t, err)
			if len(d.Games)+d.Lost != 1 || d.Lost != tt.lost || len(done) != 79 || info.Name != "trial" || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %d games, %v", name, len(done), err)
			}
			if tt.lost == 0 && !strings.Contains(err.Error(), fmt.Sprintf("game %q of run trial is damaged: ", d.Games[0].ID)) {
				t.Errorf("%s: %v", name, err)
			}
		}
		good, damaged := 0, 0
		for rec, err := range s.Games(t.Context(), 1, false) {
			if err == nil && len(rec.Moves) > 0 {
				good++
				continue
			}
			d := damageIn(t, err)
			damaged += len(d.Games) + d.Lost
			if len(d.Games) > 0 {
				if _, _, err := s.Game(t.Context(), d.Games[0].ID); !errors.Is(err, ErrDamaged) {
					t.Errorf("%s: the game itself: %v", name, err)
				}
			}
		}
		if good != 79 || damaged != 1 {
			t.Errorf("%s: %d good games, %d damaged ones", name, good, damaged)
		}
		// Such a run can only be resumed if its columns are intact.
		if _, _, err := s.Begin(t.Context(), planOf("a", "b")); (err != nil) != tt.load {
			t.Errorf("%s: going on: %v", name, err)
		}
		s.Close()
	}
}

func TestADamagedRunIsNamed(t *testing.T) {
	gametest.Sequential(t)
	for _, name := range []string{
		"runs SET name = 'trail'", "runs SET state = 'finished'", "runs SET games = 79", "runs SET changed = changed + 1",
		"heads SET json = replace(json, '--quick', '--quack')",
	} {
		path, _ := filled(t)
		change(t, path, "UPDATE "+name)
		s, err := Existing(t.Context(), path)
		gametest.OK(t, err)
		if _, _, err := load(t, s, 1); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "(#1)") {
			t.Errorf("%s: Load: %v", name, err)
		}
		if runs, err := s.Runs(t.Context()); !errors.Is(err, ErrDamaged) || len(runs) != 0 {
			t.Errorf("%s: Runs: %v %v", name, runs, err)
		}
		for _, word := range []string{"", "trial", "#1"} {
			if _, err := s.Find(t.Context(), word); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: Find %q: %v", name, word, err)
			}
		}
		if _, _, err := s.Begin(t.Context(), planOf("a", "b")); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: Begin: %v", name, err)
		}
		if err := s.Note(t.Context(), 1, "finished", "x"); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: Note: %v", name, err)
		}
		s.Close()
	}
}

// everything returns all that can be read from a database, as text.
func everything(t *testing.T, path string) (text string, err error) {
	s, err := Existing(t.Context(), path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var b strings.Builder
	runs, err := s.Runs(t.Context())
	for _, run := range runs {
		info, done, loadErr := load(t, s, run.ID)
		fmt.Fprintf(&b, "%+v %+v\n", info, done)
		err = errors.Join(err, loadErr)
		for rec, gameErr := range s.Games(t.Context(), run.ID, true) {
			err = errors.Join(err, gameErr)
			if rec != nil {
				text, jsonErr := json.Marshal(rec.Line(""))
				fmt.Fprintf(&b, "%s\n", text)
				err = errors.Join(err, jsonErr)
			}
		}
	}
	return b.String(), err
}

// One wrong bit anywhere in the file is detected, or changes nothing that can
// be read.
func TestNoWrongBitIsBelieved(t *testing.T) {
	gametest.Sequential(t)
	flips := 200
	switch {
	case gametest.Long(t):
		flips = 2000
	case testing.Short():
		flips = 40
	}
	path, good := filled(t)
	want, err := everything(t, path)
	if err != nil || len(want) < 10_000 {
		t.Fatal(len(want), err)
	}
	chance := newDraw(77)
	reported := 0
	bad := filepath.Join(t.TempDir(), "bad.db")
	for range flips {
		at, bit := chance.IntN(len(good)), chance.IntN(8)
		data := bytes.Clone(good)
		data[at] ^= 1 << bit
		for _, end := range []string{"", "-wal", "-shm"} {
			if err := os.Remove(bad + end); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
		gametest.OK(t, os.WriteFile(bad, data, 0o666))
		got, err := everything(t, bad)
		switch {
		case err != nil:
			reported++
		case got != want:
			t.Errorf("byte %d, bit %d: not noticed, and other content", at, bit)
		}
	}
	t.Logf("%d flips, %d noticed, the others changed nothing", flips, reported)
	if reported < flips/3 {
		t.Errorf("%d of %d flips were noticed: the test proves little", reported, flips)
	}
}

// Unusual texts from engines are not damage. JSON has no bytes that are not UTF-8.
func TestOddTextsAreNoDamage(t *testing.T) {
	s, run := begun(t)
	rec := newDraw(1).game([2]string{"a", "b"}, 0, 0, 0, 2)
	rec.Start, rec.Opening = "nul \x00 and \xff\xfe", "\x00"
	rec.Moves = []string{"a\x00b", "\xc3\x28", "ü'\"\\"}
	rec.Outcome.Reason, rec.Detail = "\x00\xff", "\x00\xff"
	rec.Roles = [2]string{"\x00", "\xff"}
	rec.Warnings = []string{"\x00", "", "\xff"}
	gametest.OK(t, s.Put(t.Context(), run, rec))
	gametest.OK(t, s.Note(t.Context(), run, "finished", "odd \x00 \xff"))
	got, _, err := s.Game(t.Context(), rec.ID)
	if err != nil || strings.Join(got.Moves, "|") != "a\x00b|\ufffd(|ü'\"\\" || got.Start != "nul \x00 and \ufffd\ufffd" {
		t.Errorf("%+v %v", got, err)
	}
	if _, done, err := load(t, s, run); err != nil || len(done) != 1 || done[0].Outcome.Reason != "\x00\xff" {
		t.Errorf("%+v %v", done, err)
	}
}
