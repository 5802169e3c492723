package versions

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"thera/arena"
	"thera/engine/gametest"
)

// TestHole18CurvesLong tunes on curves with a known shape. A plateau, a slope or a step
// has no optimum, and a real one is mostly found, with bounds that hold it.
func TestHole18CurvesLong(t *testing.T) {
	cases, slack := 600, 3.0
	if !gametest.Long(t) {
		cases, slack = 60, 9
	}
	for _, c := range []struct {
		name string
		best float64 // 0: none
		says string
		elo  func(x float64) float64
	}{
		{"flat", 0, "flat: no value", func(float64) float64 { return 0 }},
		{"a slope", 0, "rises towards", func(x float64) float64 { return 2 * x }},
		{"a plateau above 20", 0, "flat above", func(x float64) float64 { return -0.3 * math.Pow(max(0, 20-x), 2) }},
		{"a plateau above 30", 0, "flat above", func(x float64) float64 { return -5 * max(0, 30-x) }},
		{"a plateau below 15", 0, "flat below", func(x float64) float64 { return -0.5 * math.Pow(max(0, x-15), 2) }},
		{"less and less", 0, "rises towards", func(x float64) float64 { return 100 * math.Log(max(x, 1)) }},
		{"a step at 15", 0, "", func(x float64) float64 { return 60 * math.Floor(min(x/15, 1)) }},
		{"a peak at 35", 35, "lower at", func(x float64) float64 { return -6 * (x - 35) * (x - 35) / 16 }},
		{"a sharp peak at 20", 20, "lower at", func(x float64) float64 { return -10 * (x - 20) * (x - 20) / 16 }},
		{"a tent at 30", 30, "lower at", func(x float64) float64 { return -6 * math.Abs(x-30) }},
	} {
		found, held, said := 0, 0, 0
		for n := range cases {
			tune := tuning(400, arena.TuneOption{Name: "x", Start: 10, Min: 1, Max: 100, CEnd: 4, REnd: 0.01})
			arena.SetDefaults(&tune.Options[0])
			e := &synthetic{tune: tune, rng: rand.New(rand.NewPCG(uint64(n), 18)), curve: c.elo}
			s := newSPSA(tune, uint64(n))
			for !s.done() {
				plus, minus := s.next()
				s.add(e.pairs(plus, minus, tune.Pairs))
			}
			if strings.Contains(s.shape(0), c.says) {
				said++
			}
			if o := s.optima()[0]; o != nil {
				found++
				if o.Lo <= c.best && c.best <= o.Hi {
					held++
				}
			}
		}
		share := 100 * float64(found) / float64(cases)
		t.Logf("%s: an optimum in %.1f %% of %d tunings; the bounds hold in %.1f %%; %q is said in %.1f %%",
			c.name, share, cases, 100*float64(held)/float64(max(found, 1)), c.says, 100*float64(said)/float64(cases))
		if said < cases/2 {
			t.Errorf("%s: %q is said in %d of %d tunings", c.name, c.says, said, cases)
		}
		switch {
		case c.best == 0 && share > 5+slack:
			t.Errorf("%s: an optimum that is not there in %.1f %%", c.name, share)
		case c.best > 0 && share < 80-slack:
			t.Errorf("%s: the optimum is found in %.1f %%", c.name, share)
		}
	}
}
