//go:build unix

package match

import (
	"fmt"
	"testing"

	"thera/arena"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// An engine against itself is two processes: neither sees what the other one
// has learned, and a fault of one leaves the other alone.
func TestAgainstItself(t *testing.T) {
	p := plan(nim.New(21), "exit3:3")
	var pids [2][]int
	w := NewWorker(p, Options{}).(*worker)
	for i, name := range []string{"good", "good", "bad", "good"} {
		j := job(i)
		j.Pairing, j.Leg = [2]string{name, name}, 0
		rec, err := w.Play(t.Context(), j, start(t, p.Game))
		gametest.OK(t, err)
		if name == "good" {
			for i := range pids {
				pids[i] = append(pids[i], w.players[fmt.Sprint(name, "\x00", i+1)].Process().Pid())
			}
		}
		if want := map[string]arena.Source{"good": arena.Natural, "bad": arena.Faulted}[name]; rec.Source != want {
			t.Errorf("game %d of %s: %s %+v %v", i, name, rec.Source, rec.Outcome, rec.Fault)
		}
	}
	gametest.OK(t, w.Close())
	for i := range pids {
		if len(pids[i]) != 3 || pids[i][0] != pids[i][1] || pids[0][0] == pids[1][0] {
			t.Errorf("seat %d was played by the processes %v, want one process for the first two games", i+1, pids[i])
		}
	}
}
