package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"thera/engine/gametest"
)

// TestMedianLong simulates tests at known strengths from below elo0 to above
// elo1. The estimate must be above the true Elo in half of them, and its
// bounds must contain it in 95 %. The Elo of the score must fail the first
// condition.
func TestMedianLong(t *testing.T) {
	n, strengths := 1500, []float64{-1, -0.5, 0, 0.25, 0.5, 0.75, 1, 1.5, 2}
	if !gametest.Long(t) {
		n, strengths = 60, []float64{-1, 0, 0.5, 1, 2}
	}
	deviations := func(share float64) float64 { return math.Sqrt(share * (1 - share) / float64(n)) }
	raw := 0.0
	for i, c := range []sprtCase{
		{Test{0, 30, 0.05, 0.05, Normalized}, true, []float64{0.06, 0.2, 0.48, 0.2, 0.06}},
		{Test{0, 8, 0.05, 0.05, Logistic}, true, []float64{0.005, 0.1, 0.79, 0.1, 0.005}},
		{Test{-10, 30, 0.05, 0.1, Logistic}, true, []float64{0.25, 0, 0.5, 0, 0.25}},
	} {
		for k, at := range strengths {
			p := c.at(c.test.Elo0 + at*(c.test.Elo1-c.test.Elo0))
			mean, _ := c.moments(p)
			exact := Elo(mean)
			rng := rand.New(rand.NewPCG(uint64(i), uint64(k)))
			above, covered, rawAbove, length, bias := 0, 0, 0, 0, 0.0
			for range n {
				pairs := c.stopped(rng, p)
				elo, lo, hi := c.test.Median(pairs)
				if elo == nil || lo == nil || hi == nil || !(*lo < *elo && *elo < *hi) {
					t.Fatalf("%v: %v, bounds %v to %v", pairs, show(elo), show(lo), show(hi))
				}
				s := OfPairs(pairs)
				above += count(*elo > exact)
				rawAbove += count(*s.Score > mean)
				covered += count(*lo <= exact && exact <= *hi)
				bias += (*s.Score - mean) / float64(n)
				length += int(pairs.Pairs())
			}
			share := func(k int) float64 { return float64(k) / float64(n) }
			name := fmt.Sprintf("%s %g..%g at %.1f, %d pairs", c.test.Model, c.test.Elo0, c.test.Elo1, exact, length/n)
			t.Logf("%s: above the true Elo %.3f (raw %.3f, biased by %+.4f in score), covered %.3f", name, share(above), share(rawAbove), bias, share(covered))
			if off := share(above) - 0.5; math.Abs(off) > 3*deviations(0.5) {
				t.Errorf("%s: %.3f of the estimates are above the true Elo", name, share(above))
			}
			if share(covered) < 0.95-0.015-3*deviations(0.95) {
				t.Errorf("%s: the bounds hold the true Elo in %.3f", name, share(covered))
			}
			raw = max(raw, math.Abs(share(rawAbove)-0.5))
		}
	}
	if raw < 0.1 {
		t.Errorf("the raw Elo is above the true Elo in half of the cases too, by %.3f: these tests show nothing", raw)
	}
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// stopped returns the pairs of one test at its decision.
func (c sprtCase) stopped(rng *rand.Rand, p []float64) (pairs Penta) {
	for {
		pairs[draw(rng, p)]++
		if c.test.Pairs(pairs).Decision != Continue {
			return pairs
		}
	}
}

// TestMedianOfOddTests checks that an undecided test has no estimate, and that
// otherwise the estimate is between its bounds.
func TestMedianOfOddTests(t *testing.T) {
	test := Test{0, 10, 0.05, 0.05, Logistic}
	if elo, lo, hi := test.Median(Penta{10, 20, 40, 20, 10}); elo != nil || lo != nil || hi != nil {
		t.Errorf("an undecided test is %v", show(elo))
	}
	for _, model := range []Model{Normalized, Logistic} {
		for _, pairs := range []Penta{
			{0, 0, 0, 0, 5000},
			{5000, 0, 0, 0, 0},
			{0, 0, 5000, 0, 0},
			{0, 0, 0, 40, 0},
			{1, 0, 0, 0, 1e6},
			{1000, 0, 0, 0, 1300},
			{1300, 0, 0, 0, 1000},
			{0, 0, 300, 0, 7},
			{0, 0, 1e9, 1e7, 1e7},
		} {
			for _, test := range []Test{{0, 10, 0.05, 0.05, model}, {-300, 300, 0.4, 0.4, model}, {-1.75, 0.25, 0.001, 0.1, model}} {
				if test.Pairs(pairs).Decision == Continue {
					continue
				}
				elo, lo, hi := test.Median(pairs)
				if raw := OfPairs(pairs).Elo; raw == nil || math.Abs(*raw) > maxMedian {
					if elo != nil || lo != nil || hi != nil {
						t.Errorf("%+v after %v: %v without an Elo of the score", test, pairs, show(elo))
					}
					continue
				}
				if elo == nil || lo != nil && *lo > *elo || hi != nil && *hi < *elo {
					t.Errorf("%+v after %v: %v, bounds %v to %v", test, pairs, show(elo), show(lo), show(hi))
				}
			}
		}
	}
}
