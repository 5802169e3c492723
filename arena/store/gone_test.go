package store

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// A write to a file that was deleted or replaced is an error immediately, not
// only at the end.
func TestADatabaseThatIsGoneIsNoticed(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"deleted": os.Remove,
		"moved":   func(path string) error { return os.Rename(path, path+".old") },
		"replaced": func(path string) error {
			if err := os.Rename(path, path+".old"); err != nil {
				return err
			}
			return os.WriteFile(path, nil, 0o666)
		},
		"folder deleted": func(path string) error { return os.RemoveAll(strings.TrimSuffix(path, "/thera.db")) },
		"log deleted":    func(path string) error { return os.Remove(path + "-wal") },
	} {
		s := openTest(t)
		run := beginTest(t, s, planOf("a", "b"))
		games := newDraw(1).pairs(2, "a", "b")
		if err := s.Put(t.Context(), run, games[0]); err != nil {
			t.Fatal(name, err)
		}
		if err := harm(s.Path()); err != nil {
			t.Fatal(name, err)
		}
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

// A database that was only read may be deleted.
func TestAReadDatabaseMayGo(t *testing.T) {
	path, _ := filled(t)
	s := openAt(t, path)
	if _, err := s.Runs(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}
