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
	for _, tt := range []struct {
		fault        string
		warmup       bool
		cold, warmed game.FaultKind
	}{
		{fault: "illegal:2", warmed: game.FaultIllegal, cold: game.FaultIllegal},
		{fault: "exit3:1", cold: game.FaultExited, warmed: game.FaultExited},
		{fault: "hang:1", cold: game.FaultTimeout, warmed: game.FaultStartTimeout},
		{fault: "none"},
	} {
		for _, warm := range []bool{false, true} {
			p := plan(nim.New(21), tt.fault)
			p.Engines[1].Warmup = warm
			p.Limit = arena.Limit{Depth: 1, MaxMove: 20 * time.Millisecond, Grace: time.Minute, Start: time.Minute, Sync: time.Minute}
			if tt.fault == "hang:1" {
				p.Limit.Grace = 100 * time.Millisecond
				if warm { // the engine hangs at its start
					p.Limit.Start = 500 * time.Millisecond
				}
			}
			want := tt.cold
			if warm {
				want = tt.warmed
			}
			rec := games(t, p, 1, Options{})[0]
			switch {
			case want == "" && (rec.Source != arena.Natural || rec.Fault != nil):
				t.Errorf("%s, warmup %v: %s %+v %v", tt.fault, warm, rec.Source, rec.Outcome, rec.Fault)
			case want != "" && (rec.Fault == nil || rec.Fault.Kind != want || rec.Engine(rec.Blamed) != "bad"):
				t.Errorf("%s, warmup %v: %s %+v %v, want %s", tt.fault, warm, rec.Source, rec.Outcome, rec.Fault, want)
			}
			if plies := map[bool]int{false: 3, true: 1}[warm]; tt.fault == "illegal:2" && len(rec.Plies) != plies {
				t.Errorf("warmup %v: %d plies before its second answer, want %d", warm, len(rec.Plies), plies)
			}
		}
	}
}

// An engine that loses its search when it is stopped early, as those of Santorini's v1
// do while they clear their table, is given longer by the next try.
func TestHole10SlowFirstSearch(t *testing.T) {
	p := plan(nim.New(9), "none")
	p.Limit = arena.Limit{Move: time.Minute, Grace: time.Minute, Start: time.Minute, Sync: time.Minute}
	p.Engines[1].Command = []string{"sh", "-c", `echo ready
while read -r word id rest; do case $word in
new) echo ok;;
go) (sleep 0.4; echo "move $id 1") & search=$!;;
stop) kill $search 2>/dev/null;;
quit) exit;;
esac; done`}
	p.Engines[1].Warmup = true
	if rec := games(t, p, 1, Options{})[0]; rec.Source != arena.Natural || rec.Fault != nil {
		t.Errorf("%s %+v %v", rec.Source, rec.Outcome, rec.Fault)
	}
}
