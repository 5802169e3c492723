//go:build unix

package match

import (
	"testing"
	"time"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest/nim"
)

// With warmup the first search of a process is off the clock and its answer is not
// used, so what happens at the first question happens before the game.
func TestWarmup(t *testing.T) {
	for fault, want := range map[string]game.FaultKind{"none": "", "illegal:2": game.FaultIllegal, "exit3:1": game.FaultExited, "hang:1": game.FaultStartTimeout} {
		p := plan(nim.New(21), fault)
		p.Engines[1].Warmup = true
		p.Limit = arena.Limit{Depth: 1, MaxMove: 20 * time.Millisecond, Grace: time.Minute, Start: time.Minute, Sync: time.Minute}
		if fault == "hang:1" {
			p.Limit.Start = 500 * time.Millisecond
		}
		rec := games(t, p, 1, Options{})[0]
		checkVerdict(t, 0, rec, want, "")
		if fault == "illegal:2" && len(rec.Plies) != 1 {
			t.Errorf("%d plies before its second answer, want 1", len(rec.Plies))
		}
	}
}

// An engine that loses its search when it is stopped early, as those of Santorini's v1
// do while they clear their table, is given longer by the next try.
func TestHole10SlowFirstSearch(t *testing.T) {
	t.Parallel()
	p := plan(nim.New(9), "none")
	p.Engines[1].Command = []string{"sh", "-c", `echo ready
while read -r word id rest; do case $word in
new) echo ok;;
go) (sleep 0.4; echo "move $id 1") & search=$!;;
stop) kill $search 2>/dev/null;;
quit) exit;;
esac; done`}
	p.Engines[1].Warmup = true
	checkVerdict(t, 0, games(t, p, 1, Options{})[0], "", "")
}
