//go:build unix

package match

import (
	"strings"
	"sync"
	"testing"
	"time"

	"thera/arena"
	"thera/engine/gametest/nim"
)

// TestBothHaveTheirOwnTime: where both sides move at once, the quick one's time
// is not the slow one's, in whichever seat it sits. A busy machine may take its
// core away in some turns, not in all of them.
func TestBothHaveTheirOwnTime(t *testing.T) {
	const sleep = 50 * time.Millisecond
	p := plan(nim.NewBoth(24, 0), "sleep=50")
	recs := games(t, p, 2, Options{})
	for i, rec := range recs {
		least := map[string]time.Duration{}
		for _, ply := range rec.Plies {
			name := rec.Engine(ply.Seat)
			if had, ok := least[name]; !ok || ply.Wall < had {
				least[name] = ply.Wall
			}
		}
		if rec.Source != arena.Natural || len(rec.Plies) != 2*len(rec.Moves) || least["bad"] < sleep || least["good"] > sleep/2 {
			t.Errorf("game %d: %s, %d turns, %d plies, at least %v", i, rec.Source, len(rec.Moves), len(rec.Plies), least)
		}
	}
}

// TestBothAreAskedFirst: no answer is waited for before both are asked.
func TestBothAreAskedFirst(t *testing.T) {
	var mu sync.Mutex
	talk := ""
	recs := games(t, plan(nim.NewBoth(40, 0), "sleep=5"), 1, Options{Trace: func(_ string, dir byte, line []byte) {
		if word, _, _ := strings.Cut(string(line), " "); word == "go" || word == "move" {
			mu.Lock()
			defer mu.Unlock()
			talk += string(dir)
		}
	}})
	if want := strings.Repeat(">><<", len(recs[0].Moves)); talk != want {
		t.Errorf("questions and answers went %s, want %s", talk, want)
	}
}
