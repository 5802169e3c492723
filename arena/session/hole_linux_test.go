package session

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"thera/arena/proc"
	"thera/arena/sandbox"
	"thera/engine/gametest"
)

// The match file, which may have variables and options of one engine, is read by none, where all
// work beside it.
func TestHoleMatchFile(t *testing.T) {
	plan := planned(1)
	dir := t.TempDir()
	plan.File = filepath.Join(dir, "m.yaml")
	beside := filepath.Join(dir, "book")
	gametest.OK(t, errors.Join(os.WriteFile(plan.File, []byte("token"), 0o600), os.WriteFile(beside, []byte("moves"), 0o600)))
	for i := range plan.Engines {
		plan.Engines[i].Dir = dir
	}
	_, boxes, err := boxed(plan, sandbox.Auto, nil)
	gametest.OK(t, err)
	spawner, err := proc.NewSpawner()
	gametest.OK(t, err)
	defer spawner.Close()
	p, err := spawner.Start(proc.Spec{Argv: []string{"cat", plan.File, beside}, Dir: dir, Box: boxes[plan.Engines[0].Name]})
	gametest.OK(t, err)
	defer p.Close()
	said, buf := "", make([]byte, 100)
	for err == nil || errors.Is(err, proc.ErrWoken) {
		var n int
		n, err = p.Read(buf, time.Minute)
		said += string(buf[:n])
	}
	if said != "moves" || !errors.Is(err, io.EOF) {
		t.Errorf("it reads %q, %v", said, err)
	}
}
