package match

import (
	"testing"

	"thera/arena/sandbox"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// Memory is counted where the resident size of processes does not show it, also
// without a cgroup; in a sandbox an engine has none then that processes do not show.
func TestHole07Memory(t *testing.T) {
	if gametest.Race {
		t.Skip("the arena does what it does in TestProcessFaults; what differs are the engines, which are plain programs")
	}
	t.Setenv("THERA_CGROUP", "off")
	for _, tt := range []struct {
		fault   string
		refused bool // in a sandbox
		counts  bool // without one; else nothing is promised
	}{
		{"tables", false, true},
		{"sockets", false, true},
		{"leaderless", false, true},
		{"memfd", true, true},
		{"copies", true, true},
		{"zero", true, false},
		{"temporary", false, false},
	} {
		t.Run(tt.fault, func(t *testing.T) {
			p := plan(nim.New(21), tt.fault)
			p.Engines[1].Memory = 64 << 20
			boxes, _, err := sandbox.Boxes(p.Engines)
			gametest.OK(t, err)
			for mode, boxes := range map[string]map[string]*sandbox.Box{"off": nil, "auto": boxes} {
				kind, text := game.FaultMemory, "64 MiB allowed"
				switch {
				case mode == "off" && !tt.counts:
					continue
				case mode != "off" && tt.refused:
					kind, text = "", ""
				}
				for i, rec := range games(t, p, 1, Options{Boxes: boxes}) {
					checkVerdict(t, i, rec, kind, text)
				}
			}
		})
	}
}
