package match

import (
	"context"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"thera/arena"
	"thera/arena/proc"
	"thera/engine/game"
	"thera/engine/gametest/nim"
)

// An engine that has to share its core with five other programs is not to
// blame, however often it is played again: the game is void.
func TestStall(t *testing.T) {
	var allowed unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		t.Fatal(err)
	}
	core := 0
	for !allowed.IsSet(core) {
		core++
	}
	spawner, err := proc.NewSpawner()
	if err != nil {
		t.Fatal(err)
	}
	defer spawner.Close()
	p := plan(nim.New(21), "work=300:2")
	p.Limit = arena.Limit{Move: 60 * time.Millisecond, Grace: 200 * time.Millisecond, Start: 20 * time.Second, Sync: 20 * time.Second}
	p.Engines[1].CPUs = []int{core}
	w := NewWorker(p, 0, Options{})
	defer w.Close()
	for range 5 {
		burner, err := spawner.Start(proc.Spec{Argv: []string{"sh", "-c", "while :; do :; done"}, CPUs: []int{core}})
		if err != nil {
			t.Fatal(err)
		}
		defer burner.Close()
	}
	for range 2 {
		rec, err := w.Play(context.Background(), job(1), start(t, p.Game))
		if err != nil {
			t.Fatal(err)
		}
		if rec.Source != arena.Stalled || rec.Outcome.Winner != game.None || rec.Outcome.Reason != "stalled" {
			t.Fatalf("%s %+v\n%s", rec.Source, rec.Outcome, rec.Detail)
		}
		if !strings.Contains(rec.Detail, "the machine stalled: ") || rec.Fault == nil {
			t.Errorf("detail %q", rec.Detail)
		}
	}
}
