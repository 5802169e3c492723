//go:build linux

package match

import (
	"syscall"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// Every fault ends two games (six in the long form) with the expected verdict,
// never blames the healthy engine, and leaves no process behind.
func TestFaultKitLong(t *testing.T) {
	tests := []struct {
		fault string
		kind  game.FaultKind // "" for what is not a fault
		text  string         // in the fault's text
	}{
		{"hang", game.FaultTimeout, "of 60ms"},
		{"overdue", game.FaultTimeout, "used"},
		{"partial", game.FaultTimeout, "used"},
		{"burn", game.FaultTimeout, "CPU"},
		{"deafburn", game.FaultTimeout, "CPU"},
		{"childhang", game.FaultTimeout, "used"},
		{"deaf", game.FaultTimeout, "used"},
		{"exit0", game.FaultExited, "0"},
		{"exit3", game.FaultExited, "3"},
		{"panic", game.FaultExited, "2"},
		{"orphanpipe", game.FaultExited, "0"},
		{"setsid", game.FaultExited, "0"},
		{"segv", game.FaultCrashed, "signal 11 (SIGSEGV)"},
		{"abort", game.FaultCrashed, "signal 6 (SIGABRT)"},
		{"kill", game.FaultCrashed, "signal 9 (SIGKILL)"},
		{"closedout", game.FaultClosedOut, ""},
		{"closedin", game.FaultClosedIn, ""},
		{"closedask", game.FaultClosedIn, ""},
		{"flood", game.FaultFlood, "lines"},
		{"floodwide", game.FaultFlood, "bytes a move"},
		{"longline", game.FaultFlood, "a line over"},
		{"garbage", game.FaultProtocol, `"move"`},
		{"illegal", game.FaultIllegal, "take 1 to 3"},
		{"memory", game.FaultMemory, "64 MiB allowed"},
		{"silent", game.FaultStartTimeout, ""},
		{"startexit", game.FaultExited, "7"},
		{"starthear", game.FaultStartTimeout, ""},
		{"lastwords", game.FaultExited, "0"}, // the answer counts, the next question finds nobody
		{"early", "", ""},
		{"two", "", ""},
		{"crlf", "", ""},
		{"allcrlf", "", ""},
		{"nul", "", ""},
		{"bom", "", ""},
		{"blank", "", ""},
		{"noise", "", ""},
		{"stderr", "", ""},
		{"split", "", ""},
		{"zombie", "", ""},
		{"ponder", "", ""},
		{"slowstart", "", ""},
		{"sigterm", "", ""},
	}
	// Whatever engines do, the arena stays small. Cleanup runs after all. Other tests run beside
	// these: a flood that is kept would be gigabytes.
	t.Cleanup(func() {
		const most = 256 << 10 // KiB
		var u syscall.Rusage
		gametest.OK(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
		if u.Maxrss > most && !gametest.Race {
			t.Errorf("the arena had %d KiB resident, at most %d are allowed", u.Maxrss, most)
		}
	})
	for _, tt := range tests {
		t.Run(tt.fault, func(t *testing.T) {
			t.Parallel()
			p := plan(nim.New(21), tt.fault+":2")
			marker := mark(p)
			if tt.fault == "memory" {
				p.Engines[1].Memory = 64 << 20
			}
			// An engine at fault by the clock gets little time; every other has so
			// much that the machine cannot take it away.
			switch tt.kind {
			case game.FaultTimeout:
				p.Limit.Move, p.Limit.Grace = 60*time.Millisecond, 40*time.Millisecond
			case game.FaultStartTimeout:
				p.Limit.Start = 100 * time.Millisecond
			}
			n := 2
			if tt.fault == "closedask" { // seen when the limit is over, which it must not reach by a busy machine
				p.Limit.Move, p.Limit.Grace, n = 4*time.Second, 0, 1
			}
			if gametest.Long(t) {
				n = 6
			}
			for i, rec := range games(t, p, n, Options{}) {
				checkVerdict(t, i, rec, tt.kind, tt.text)
			}
			if left := marked(t, marker); len(left) > 0 {
				t.Errorf("processes left: %v", left)
			}
		})
	}
}
