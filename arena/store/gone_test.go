package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// A write to a file that was deleted or replaced is an error immediately, not
// only at the end.
func TestADatabaseThatIsGoneIsNoticed(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"deleted": os.Remove,
		"moved":   func(path string) error { return os.Rename(path, path+".old") },
		"replaced": func(path string) error {
			return errors.Join(os.Rename(path, path+".old"), os.WriteFile(path, nil, 0o666))
		},
		"folder deleted": func(path string) error { return os.RemoveAll(strings.TrimSuffix(path, "/thera.db")) },
		"log deleted":    func(path string) error { return os.Remove(path + "-wal") },
	} {
		s, run := begun(t)
		games := newDraw(1).pairs(2, "a", "b")
		gametest.OK(t, s.Put(t.Context(), run, games[0]))
		gametest.OK(t, harm(s.Path()))
		_, _, begin := s.Begin(t.Context(), planOf("a", "b"))
		for what, err := range map[string]error{
			"Put": s.Put(t.Context(), run, games[1]), "Note": s.Note(t.Context(), run, "finished", "all is played"), "Begin": begin, "Close": s.Close(),
		} {
			if !errors.Is(err, ErrGone) || !strings.Contains(err.Error(), "database "+s.Path()+": ") {
				t.Errorf("%s, %s: err = %v", name, what, err)
			}
		}
		s.err = nil // openTest wants a good end
	}
}

// A symbolic link is another name of a database, also of one that is not there yet.
func TestALinkIsAnotherName(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "data", "thera.db")
	gametest.OK(t, os.Mkdir(filepath.Dir(path), 0o777))
	link, second := filepath.Join(folder, "link.db"), filepath.Join(folder, "second.db")
	if err := errors.Join(os.Symlink(filepath.Join("data", "thera.db"), link), os.Symlink(link, second)); err != nil {
		t.Skip(err) // a system without symbolic links
	}
	s := openAt(t, second) // it is made where the links lead
	if s.Path() != path {
		t.Errorf("path of %s = %q", second, s.Path())
	}
	beginTest(t, s, planOf("a", "b"))
	gametest.OK(t, s.Close())
	reader, err := Existing(t.Context(), link)
	gametest.OK(t, err)
	defer reader.Close()
	if runs, err := reader.Runs(t.Context()); err != nil || len(runs) != 1 || reader.Path() != path {
		t.Errorf("runs: %+v, %v", runs, err)
	}
}

// A database that was only read may be deleted.
func TestAReadDatabaseMayGo(t *testing.T) {
	path, _ := filled(t)
	s := openAt(t, path)
	_, err := s.Runs(t.Context())
	gametest.OK(t, err)
	gametest.OK(t, os.Remove(path))
}
