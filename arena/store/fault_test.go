package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// filled makes a closed database with some games and returns its bytes.
func filled(t *testing.T) (path string, bytes []byte) {
	t.Helper()
	s, run := begun(t)
	gametest.OK(t, putAll(t.Context(), s, run, newDraw(1).pairs(40, "a", "b")))
	gametest.OK(t, s.Note(t.Context(), run, "interrupted", "b is slow"))
	gametest.OK(t, s.Close())
	data, err := os.ReadFile(s.Path())
	gametest.OK(t, err)
	return s.Path(), data
}

func TestADamagedDatabaseIsKeptAndSaidSo(t *testing.T) {
	path, good := filled(t)
	for name, damage := range map[string]func([]byte) []byte{
		"overwritten head": func(b []byte) []byte { copy(b, strings.Repeat("x", 200)); return b },
		"overwritten tree": func(b []byte) []byte {
			for i := 4096; i < len(b); i += 3 {
				b[i] ^= 0x5a
			}
			return b
		},
		"cut off": func(b []byte) []byte { return b[:len(b)/2] },
		"a text":  func([]byte) []byte { return bytes.Repeat([]byte("dear diary\n"), 100) },
	} {
		bad := damage(bytes.Clone(good))
		gametest.OK(t, os.WriteFile(path, bad, 0o666))
		for _, open := range []func(context.Context, string) (*Store, error){Open, Existing} {
			s, err := open(t.Context(), path)
			if err == nil {
				s.Close()
			}
			if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "it was not changed") {
				t.Errorf("%s: err = %v", name, err)
			}
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, bad) {
			t.Errorf("%s: the file was changed (%v)", name, err)
		}
	}
}

func TestExistingMakesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.db")
	if _, err := Existing(t.Context(), path); !errors.Is(err, errNone) {
		t.Errorf("err = %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a database was made")
	}
	if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "a?b #c%20 ü.db")); err != nil {
		t.Errorf("a name of odd characters: %v", err)
	}
	gametest.OK(t, os.WriteFile(path, nil, 0o666))
	if _, err := Open(t.Context(), filepath.Join(path, "thera.db")); err == nil || !strings.Contains(err.Error(), "folder of database") {
		t.Errorf("err = %v", err)
	}
}

func TestAFullDiskStoresNothingHalf(t *testing.T) {
	s, run := begun(t)
	games := newDraw(1).pairs(200, "a", "b")
	gametest.OK(t, putAll(t.Context(), s, run, games[:10]))
	s.change(t, "PRAGMA max_page_count = 60")
	stored := 10
	var full error
	for full == nil {
		if full = s.Put(t.Context(), run, games[stored]); full == nil {
			stored++
		}
	}
	if !errors.Is(full, ErrFull) || full.Error() != "database "+s.Path()+": the disk is full" { // there may be no games
		t.Fatalf("err = %v", full)
	}
	check := func(want int) {
		t.Helper()
		info, done, err := load(t, s, run)
		gametest.OK(t, err)
		if got := len(gamesOf(t, s, run, true)); got != want || len(done) != want || info.Games != want {
			t.Errorf("%d games, %d finished, run says %d; %d were acknowledged", got, len(done), info.Games, want)
		}
	}
	check(stored)
	// When there is space again, the same game is stored.
	s.change(t, "PRAGMA max_page_count = 100000")
	gametest.OK(t, s.Put(t.Context(), run, games[stored]))
	check(stored + 1)
}

func TestALockedDatabaseIsSaidSo(t *testing.T) {
	s, run := begun(t)
	s.change(t, "PRAGMA busy_timeout = 20")
	other, err := sql.Open("sqlite", s.Path())
	gametest.OK(t, err)
	defer other.Close()
	conn, err := other.Conn(t.Context())
	gametest.OK(t, err)
	defer conn.Close()
	_, err = conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	gametest.OK(t, err)
	rec := newDraw(1).game([2]string{"a", "b"}, 0, 0, 0, 3)
	if err := s.Put(t.Context(), run, rec); !errors.Is(err, errBusy) {
		t.Errorf("err = %v", err)
	}
	_, err = conn.ExecContext(t.Context(), "ROLLBACK")
	gametest.OK(t, err)
	if err := s.Put(t.Context(), run, rec); err != nil {
		t.Errorf("after the lock: %v", err)
	}
}

// A database of another schema or program is refused, with what to do, and not changed.
func TestAnotherDatabaseIsRefused(t *testing.T) {
	for statement, want := range map[string]string{
		fmt.Sprintf("PRAGMA user_version = %d", schemaNumber-1): "to keep its games, write each run with the thera that played it (thera export --all RUN) and read that here (thera import)",
		fmt.Sprintf("PRAGMA user_version = %d", schemaNumber+1): "use the newer thera that wrote it",
		"PRAGMA application_id = 0":                             "another program made it",
	} {
		path, _ := filled(t)
		change(t, path, statement)
		before, err := os.ReadFile(path)
		gametest.OK(t, err)
		_, writing := Open(t.Context(), path)
		_, reading := open(t.Context(), path, "mode=ro&immutable=1")
		for _, err := range []error{writing, reading} {
			if !errors.Is(err, errForeign) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: err = %v", statement, err)
			}
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, before) {
			t.Errorf("%s: the file was changed (%v)", statement, err)
		}
	}
}
