package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"thera/engine/gametest"
)

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
		gametest.OK(t, err)
		for range many {
			child := childOf("open", path)
			child.Stdin = in
			gametest.OK(t, child.Start())
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
