package rating

import (
	"math"
	"math/rand/v2"
	"testing"

	"thera/engine/gametest"
)

// Values of tables of chi-square (Abramowitz and Stegun, table 26.8).
func TestChiSquareAbove(t *testing.T) {
	for _, tt := range []struct {
		x       float64
		freedom int
		want    float64
	}{{3.84146, 1, 0.05}, {5.99146, 2, 0.05}, {9.48773, 4, 0.05}, {16.266, 3, 0.001}, {29.588, 10, 0.001}, {149.449, 100, 0.001}, {0, 3, 1}} {
		if got := chiSquareAbove(tt.x, tt.freedom); math.Abs(got-tt.want) > 1e-5 {
			t.Errorf("above %v with %d: %v, want %v", tt.x, tt.freedom, got, tt.want)
		}
	}
}

// With only the classes 0 and 4 the test is that of Mantel and Haenszel for tables of two
// by two: (N-1)/N times Pearson's chi-square, of each pairing.
func TestAlikeIsMantelHaenszel(t *testing.T) {
	pearson := 150 * math.Pow(30*60-20*40, 2) / (50 * 100 * 70 * 80)
	one := [2]Penta{{30, 0, 0, 0, 20}, {40, 0, 0, 0, 60}}
	for n, pairings := range [][][2]Penta{1: {one}, 2: {one, {one[0].Flip(), one[1].Flip()}}} {
		if n == 0 {
			continue
		}
		want := chiSquareAbove(float64(n)*pearson*149/150, n)
		same(t, "p", Alike(pairings), &want, 1e-12)
	}
	for _, nothing := range [][][2]Penta{nil, {{{1, 2, 3, 4, 5}, {}}}, {{{}, {1, 2, 3, 4, 5}}}, {{{0, 0, 9, 0, 0}, {0, 0, 99, 0, 0}}}} {
		if got := Alike(nothing); got != nil {
			t.Errorf("%v: %v", nothing, *got)
		}
	}
}

// fleet simulates a run of three engines on several workers, of which the first plays
// pairs pairs of each pairing and the others more. The first engine of the first worker
// is weaker by so many Elo. It returns the comparisons of each worker.
func fleet(rng *rand.Rand, workers, pairs int, weaker float64) [][][2]Penta {
	elo := []float64{0, 30, -60}
	out := make([][][2]Penta, workers)
	for i := range elo {
		for j := i + 1; j < len(elo); j++ {
			counts := make([]Penta, workers)
			var all Penta
			for w := range counts {
				d := elo[i] - elo[j]
				if w == 0 && i == 0 {
					d -= weaker
				}
				n := pairs
				if w > 0 { // some play much of one pairing
					n += rng.IntN(3 * pairs)
				}
				counts[w] = simulatePairs(rng, i, j, Expected(d), n, 0.3).Pairs
				all = all.Add(counts[w])
			}
			for w := range counts {
				others := all
				for class, n := range counts[w] {
					others[class] -= n
				}
				out[w] = append(out[w], [2]Penta{counts[w], others})
			}
		}
	}
	return out
}

// Of honest workers one in a thousand runs has one that is flagged, whatever the number
// of workers, and p-values are as evenly distributed as they say. A worker whose engine is
// 100 Elo weaker is flagged.
func TestAlikeLong(t *testing.T) {
	const workers, pairs = 6, 17 // 51 pairs of three pairings: the least that are tested
	runs := 2000
	if gametest.Long(t) {
		runs = 50_000
	}
	rng := rand.New(rand.NewPCG(19, 1))
	alarms, below := 0, map[float64]int{0.05: 0, 0.01: 0}
	for range runs {
		for _, pairings := range fleet(rng, workers, pairs, 0) {
			p := *Alike(pairings)
			alarms += count(p < 0.001/workers)
			for level := range below {
				below[level] += count(p < level)
			}
		}
	}
	for level, n := range below {
		tests := float64(runs * workers)
		got, slack := float64(n)/tests, 4*math.Sqrt(level*workers/tests) // the workers of a run are not independent
		t.Logf("p < %v in %.2f %% of %.0f tests of honest workers", level, 100*got, tests)
		if math.Abs(got-level) > slack {
			t.Errorf("p < %v in %.4f of all tests", level, got)
		}
	}
	t.Logf("%d alarms in %d runs of %d honest workers, %.3f %%", alarms, runs, workers, 100*float64(alarms)/float64(runs))
	if most := 0.001*float64(runs) + 4*math.Sqrt(0.001*float64(runs)); float64(alarms) > most {
		t.Errorf("%d alarms in %d runs, at most %.0f are chance", alarms, runs, most)
	}
	runs = max(100, runs/25)
	for _, tt := range []struct {
		pairs int
		least float64
	}{{50, 0.4}, {100, 0.9}, {200, 0.99}} {
		found, others := 0, 0
		for range runs {
			for w, pairings := range fleet(rng, workers, tt.pairs, 100) {
				alarm := count(*Alike(pairings) < 0.001/workers)
				if w == 0 {
					found += alarm
				} else {
					others += alarm
				}
			}
		}
		share := float64(found) / float64(runs)
		t.Logf("%d pairs of each of 3 pairings, one engine 100 Elo weaker: found in %.1f %%, %d honest ones flagged", tt.pairs, 100*share, others)
		if share < tt.least || float64(others) > 0.05*float64(runs) {
			t.Errorf("%d pairs: found in %d of %d runs, %d others flagged", tt.pairs, found, runs, others)
		}
	}
}
