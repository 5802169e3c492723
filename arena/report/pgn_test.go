package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest"
)

func TestPGN(t *testing.T) {
	ply := func(seat game.Seat, score, depth int) arena.Ply {
		return arena.Ply{Seat: seat, Wall: 120 * time.Millisecond, Depth: depth, Score: score, Scored: depth > 0}
	}
	job := arena.Job{ID: "0123456789abcdef", Pairing: [2]string{`new "fast"`, `old\slow`}, Round: 2, Pair: 3, Leg: 1}
	long := make([]string, 30)
	for i := range long {
		long[i] = "a" + string(rune('1'+i%9))
	}
	var out bytes.Buffer
	for _, rec := range []*arena.Game{
		{
			Job: job, Started: time.UnixMilli(1_700_000_000_000), Start: "5", Source: arena.Natural, Outcome: game.Outcome{Winner: game.Second, Reason: "white joins its sides"},
			Moves: []string{"a1", "swap", "0100/2/mortal:1,2"}, Plies: []arena.Ply{ply(1, 35, 8), ply(2, -12, 7), ply(1, 0, 0)},
		},
		{Job: job, Roles: [2]string{"pan", "apollo"}, Source: arena.Natural, Outcome: game.Outcome{Reason: "repetition"}, Moves: long},
		{Job: job, Source: arena.Faulted, Fault: &game.Fault{Kind: game.FaultTimeout}, Blamed: 1, Outcome: game.Outcome{Winner: game.Second, Reason: "timeout {\x1b[2J}\n[White \"x\"] %x"}},
		{Job: job, Source: arena.Faulted, Fault: &game.Fault{Kind: game.FaultIllegal}, Blamed: 1, Outcome: game.Outcome{Winner: game.First, Reason: "illegal move"}},
		{Job: job, Source: arena.Faulted, Fault: &game.Fault{Kind: game.FaultExited}, Blamed: 1, Outcome: game.Outcome{Winner: game.First, Reason: "exited: 3"}},
		{Job: job, Source: arena.Adjudicated, Outcome: game.Outcome{Winner: game.First, Reason: "adjudicated: ply cap"}, Moves: []string{"U/R"}, Plies: []arena.Ply{ply(1, 1, 1), ply(2, 2, 2)}},
		{Job: job, Start: strings.Repeat("a long start ", 30), Source: arena.Natural, Outcome: game.Outcome{Winner: game.First, Reason: "no legal move"}, Moves: []string{"a1"}},
		{Job: job, Source: arena.Stalled, Status: arena.StatusVoid, Outcome: game.Outcome{Reason: "stalled"}},
	} {
		gametest.OK(t, PGN(&out, "a run", rec, true))
	}
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, "[") && len(line) > pgnWidth+1 {
			t.Errorf("a line of %d: %q", len(line), line)
		}
	}
	golden(t, "games.pgn", out.Bytes())
}
