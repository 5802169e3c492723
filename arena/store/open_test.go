package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/gametest"
)

const openVariable = "THERA_STORE_TEST_OPEN"

// openFirst is the body of the other processes of TestOneNewDatabaseForMany.
// They wait for the end of stdin, so that all begin at once.
func openFirst(path string) error {
	_, _ = os.Stdin.Read(make([]byte, 1))
	ctx := context.Background()
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	plan := planOf("a", "b")
	plan.Name = fmt.Sprint(os.Getpid())
	run, _, err := s.Begin(ctx, plan)
	if err == nil {
		err = s.Put(ctx, run, newDraw(1).game([2]string{"a", "b"}, 0, 0, 0, 3))
	}
	return errors.Join(err, s.Close())
}

// Several programs can create one database at once.
func TestOneNewDatabaseForMany(t *testing.T) {
	rounds, many := 3, 8
	switch {
	case gametest.Long(t):
		rounds = 50
	case testing.Short():
		rounds = 1
	}
	for round := range rounds {
		path := filepath.Join(t.TempDir(), "thera.db")
		var all []*exec.Cmd
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		for range many {
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), openVariable+"="+path)
			child.Stdin, child.Stderr = in, new(bytes.Buffer)
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			all = append(all, child)
		}
		out.Close()
		for _, child := range all {
			if err := child.Wait(); err != nil {
				t.Errorf("round %d: %v: %s", round, err, child.Stderr)
			}
		}
		in.Close()
		s := openAt(t, path)
		if runs, err := s.Runs(t.Context()); err != nil || len(runs) != many || runs[0].Games != 1 {
			t.Errorf("round %d: %d runs of %d, %v", round, len(runs), many, err)
		}
	}
}

// A read-only database can be read, and every change is an error.
func TestAReadOnlyDatabase(t *testing.T) {
	for _, words := range []string{"mode=ro", "mode=ro&immutable=1"} {
		path, good := filled(t)
		want, err := everything(t, path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := open(t.Context(), path, words)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := allOf(t, s); err != nil || got != want {
			t.Errorf("%v: %v, other content: %v", words, err, got != want)
		}
		for what, err := range map[string]error{
			"Put": s.Put(t.Context(), 1, newDraw(9).game([2]string{"a", "b"}, 99, 0, 99, 3)), "Note": s.Note(t.Context(), 1, "finished", ""),
			"Remove": s.Remove(t.Context(), 1),
		} {
			if !errors.Is(err, errReadOnly) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: err = %v", what, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, good) {
			t.Errorf("the file was changed (%v)", err)
		}
	}
}
