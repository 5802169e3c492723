//go:build linux

package match

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"thera/arena"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// An engine that fails at random in random ways: every game has a verdict, the
// healthy engine is never blamed, and no process, file or goroutine is left
// (the last by TestMain). A game that stalled is played again, as in
// a run.
func TestRandomFaultsLong(t *testing.T) {
	n := 150
	if testing.Short() {
		n = 50
	}
	if gametest.Long(t) {
		n = 10_000
	}
	const slots = 4
	p := plan(nim.New(30), "random")
	p.Limit = arena.Limit{Move: 40 * time.Millisecond, Grace: 40 * time.Millisecond, Start: time.Second, Sync: 200 * time.Millisecond}
	// So little memory that growing to it takes less than the limit of a move.
	p.Engines[1].Memory, p.Engines[1].Fresh = 32<<20, true
	// The healthy engine gets all the time it wants: this machine may be busy.
	p.Engines[0].Limit = arena.Limit{Grace: time.Minute, Start: time.Minute, Sync: time.Minute}
	marker := mark(p)
	r, w, err := os.Pipe() // the runtime opens two files at the first wait for one, and keeps them
	gametest.OK(t, errors.Join(err, r.Close(), w.Close()))
	opening := start(t, p.Game)
	files, err := os.ReadDir("/proc/self/fd")
	gametest.OK(t, err)
	began := time.Now()
	jobs := make(chan int)
	var mu sync.Mutex
	reasons, stalls := map[string]int{}, 0
	var slot sync.WaitGroup
	for range slots {
		slot.Go(func() {
			w := NewWorker(p, Options{Machine: still{}})
			defer w.Close()
			for at := range jobs {
				j := job(at % 2)
				j.ID = fmt.Sprint(at)
				rec, err := w.Play(context.Background(), j, opening)
				stalled := 0
				for ; err == nil && rec.Source == arena.Stalled; stalled++ {
					rec, err = w.Play(context.Background(), j, opening)
				}
				if err != nil {
					t.Error(err)
					continue
				}
				mu.Lock()
				reasons[string(rec.Source)+": "+rec.Outcome.Reason]++
				stalls += stalled
				mu.Unlock()
				if rec.Outcome.Reason == "" || rec.Source == arena.Faulted && rec.Engine(rec.Blamed) != "bad" {
					t.Errorf("game %d: %s %+v\n%s", at, rec.Source, rec.Outcome, rec.Detail)
				}
			}
		})
	}
	for at := range n {
		jobs <- at
	}
	close(jobs)
	slot.Wait()
	t.Logf("%d games in %v, %d of them played again: %v", n, time.Since(began).Round(time.Millisecond), stalls, reasons)
	if len(reasons) < 4 { // the faults are random, and on a busy machine many are timeouts
		t.Errorf("only %d kinds of end", len(reasons))
	}
	if after, err := os.ReadDir("/proc/self/fd"); err != nil || len(after) > len(files) {
		t.Errorf("%d files open, %d before: %v", len(after), len(files), err)
	}
	if left := marked(t, marker); len(left) > 0 {
		t.Errorf("processes left: %v", left)
	}
}
