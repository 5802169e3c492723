package runner

import (
	"math"
	"testing"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/arena/rating"
	"thera/engine/gametest"
)

// An A/A test: the same engine twice. A sequential test accepts H1 as often as alpha
// says, whether or not games are played at once.
func TestLongTheSameEngineTwice(t *testing.T) {
	tests := 80
	switch {
	case gametest.Long(t):
		tests = 3000
	case gametest.Race:
		tests = 20
	}
	for _, alpha := range []float64{0.05, 0.2} {
		wrong, games := 0, 0
		for n := range tests {
			plan := planOf(2, 100_000, 1+n%3)
			plan.Format.Name, plan.Seed = "sprt", uint64(n)
			plan.SPRT = arena.SPRT{Elo0: 0, Elo1: 60, Alpha: alpha, Beta: 0.05, Model: rating.Normalized}
			sum := runAll(t, plan, arenatest.NewStore(), &arenatest.Workers{Strength: map[string]int{"a": 50, "b": 50}})
			games += sum.Counted
			switch {
			case sum.Stop.Kind != arena.StopDecided:
				t.Fatalf("test %d: %+v", n, sum.Stop)
			case sum.Tests[0].Decision == rating.H1:
				wrong++
			}
		}
		rate, slack := float64(wrong)/float64(tests), 3*math.Sqrt(alpha*(1-alpha)/float64(tests))
		t.Logf("alpha %v: H1 in %d of %d tests, %.1f %%, of %d games each", alpha, wrong, tests, 100*rate, games/tests)
		// The LLR passes its bound by a part of a pair, so that the rate is a little below alpha.
		if rate > alpha+slack || rate < 0.7*alpha-slack {
			t.Errorf("alpha %v: H1 in %.1f %% of the tests", alpha, 100*rate)
		}
	}
}
