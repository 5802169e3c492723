//go:build unix

package match

import (
	"strings"
	"sync"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/faultkit"
)

// TestBothHaveTheirOwnTime: where both sides move at once, the quick one's time
// is not the slow one's, in whichever seat it sits.
func TestBothHaveTheirOwnTime(t *testing.T) {
	p := plan(faultkit.Toy{Heap: 24, Both: true}, "sleep=30")
	p.Limit.Move = 10 * time.Second
	recs := games(t, p, 2, Options{})
	for i, rec := range recs {
		used := map[string]time.Duration{}
		for _, ply := range rec.Plies {
			used[rec.Engine(ply.Seat)] += ply.Wall
		}
		slow, quick := used["bad"], used[rec.Engine(rec.Seat(0))]
		if rec.Source != arena.Natural || len(rec.Plies) != 2*len(rec.Moves) || slow < time.Duration(len(rec.Moves))*30*time.Millisecond || quick > slow/2 {
			t.Errorf("game %d: %s, %d turns, the slow one used %v, the quick one %v", i, rec.Source, len(rec.Moves), slow, quick)
		}
	}
}

// TestBothAreAskedFirst: the toy's session leaves every fifth question to Go.
func TestBothAreAskedFirst(t *testing.T) {
	var mu sync.Mutex
	talk := ""
	games(t, plan(faultkit.Toy{Heap: 40, Both: true}, "sleep=5"), 1, Options{Trace: func(_ string, dir byte, line []byte) {
		if word, _, _ := strings.Cut(string(line), " "); word == "go" || word == "move" {
			mu.Lock()
			defer mu.Unlock()
			talk += string(dir)
		}
	}})
	if want := strings.Repeat(">><<", 4); !strings.HasPrefix(talk, want) {
		t.Errorf("questions and answers went %s, want %s…", talk, want)
	}
}
