package tournament

import (
	"math"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest"
)

// testGames are the two games of a pair of a test: won by the first seat, of these
// moves, at these nodes a second.
func testGames(plan *arena.Plan, pair int, moves [2]uint64, nodes [2]int64) []arena.Game {
	var games []arena.Game
	for leg := range 2 {
		g := arena.Game{
			Job:     arena.Job{Pairing: [2]string{plan.Engines[0].Name, plan.Engines[1].Name}, Pair: pair, Leg: leg},
			Outcome: game.Outcome{Winner: game.First}, StartHash: uint64(pair + 1), Sameness: moves[leg], Turns: 9,
		}
		for i, n := range nodes {
			*g.Side(i) = arena.Effort{Moves: 5, Nodes: n, Wall: time.Second}
		}
		games = append(games, g)
	}
	return games
}

// Engines that play the same moves are found out after 50 pairs; one game that differs
// is enough to go on.
func TestHole17TheSameMovesEndATest(t *testing.T) {
	for name, tt := range map[string]struct {
		differs int // pair
		over    bool
	}{"all": {-1, true}, "but the first": {0, false}, "but the last": {49, false}} {
		plan := planOf("sprt", 2, 100_000)
		plan.SPRT = arena.SPRT{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05, Model: "normalized"}
		f, err := New(plan)
		gametest.OK(t, err)
		for pair := range 50 {
			if f.Stop() != nil {
				t.Fatalf("%s: over after %d pairs", name, pair)
			}
			moves := [2]uint64{uint64(pair + 100), uint64(pair + 100)}
			if pair == tt.differs {
				moves[1]++
			}
			f.AddAll(Stored(testGames(plan, pair, moves, [2]int64{100, 100})))
		}
		switch stop := f.Stop(); {
		case (stop != nil) != tt.over:
			t.Errorf("%s: %+v", name, stop)
		case tt.over && (string(stop.Kind) != "no functional change" || stop.Pairs != 50 || stop.Finding() || !strings.Contains(stop.Text, "each of 50 pairs are the same")):
			t.Errorf("%s: %+v", name, stop)
		}
	}
}

// A slowdown is told from the noise of a machine.
func TestASlowdownIsTold(t *testing.T) {
	for name, tt := range map[string]struct {
		nodes  func(pair int) [2]int64
		speed  float64
		slower bool
	}{
		"half":      {func(int) [2]int64 { return [2]int64{51, 100} }, 0.51, true},
		"a little":  {func(int) [2]int64 { return [2]int64{92, 100} }, 0.92, false},
		"faster":    {func(int) [2]int64 { return [2]int64{300, 100} }, 3, false},
		"one stall": {func(pair int) [2]int64 { return [2]int64{100 - 99*int64(btoi(pair == 3)), 100} }, 0.63, false},
		"noise": {func(pair int) [2]int64 {
			if pair%2 == 0 {
				return [2]int64{20, 100}
			}
			return [2]int64{400, 100}
		}, 0.894, false},
		"unknown": {func(int) [2]int64 { return [2]int64{0, 100} }, 0, false},
	} {
		plan := planOf("sprt", 2, 100_000)
		f, err := New(plan)
		gametest.OK(t, err)
		for pair := range 10 {
			f.AddAll(Stored(testGames(plan, pair, [2]uint64{1, 2}, tt.nodes(pair))))
		}
		got := f.Test()
		if tt.speed == 0 {
			if got.Speed != nil {
				t.Errorf("%s: %v", name, *got.Speed)
			}
			continue
		}
		if got.Speed == nil || math.Abs(*got.Speed-tt.speed) > 0.005 || got.Slower != tt.slower {
			t.Errorf("%s: %v, slower %v", name, *got.Speed, got.Slower)
		}
	}
}
