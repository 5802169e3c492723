package versions

import (
	"math"
	"math/rand/v2"
	"testing"

	"thera/arena/rating"
	"thera/engine/gametest"
)

// Games of the last two versions say nothing about the steps before them.
func TestPosterior(t *testing.T) {
	s := newLine(3)
	s.played[[2]int{1, 2}] = rating.Penta{5, 10, 30, 20, 35}
	p := s.posterior()
	if step, q := p.best(); step != 2 || q < 0.99 {
		t.Errorf("step %d with %v, want 2", step, q)
	}
}

// simulation draws pairs of games of two versions.
type simulation struct{ *rand.Rand }

// pair is the result of a pair of games, of an older version that is elo
// stronger. One game in ten is a draw.
func (r simulation) pair(elo float64) int {
	points := 0
	for range 2 {
		switch x, expected := r.Float64(), rating.Expected(elo); {
		case x < expected-0.05:
			points += 2
		case x < expected+0.05:
			points++
		}
	}
	return points
}

// search looks for a step with batches of games until a step has 95 %. Where the curve does not
// have the step's size within its error, it found nothing.
func (r simulation) search(versions, step int, elo float64, batch int) (found, pairs int) {
	s := newLine(versions)
	for pairs < 20_000 {
		p := s.posterior()
		if best, q := p.best(); q >= 0.95 {
			if last := versions - 1; math.Abs(p.Elo[last]+elo) > 3*p.Error[last] {
				best = 0 // the curve is wrong
			}
			return best, pairs
		}
		older, newer := s.next(&p)
		got := s.played[[2]int{older, newer}]
		for range batch {
			lead := 0.0
			if older < step && step <= newer {
				lead = elo
			}
			got[r.pair(lead)]++
		}
		pairs += batch
		s.played[[2]int{older, newer}] = got
	}
	return 0, pairs
}

// halve looks for a step of a known size by halving: a fixed number of pairs
// against version 0, long enough that all comparisons together are right in 95 %
// of cases.
func (r simulation) halve(versions, step int, elo float64) (found, pairs int) {
	rounds := math.Ceil(math.Log2(float64(versions - 1)))
	wrong := 1 - math.Pow(0.95, 1/rounds)
	half := (rating.Expected(math.Abs(elo)) - 0.5) / 2
	sd := math.Sqrt(0.9 * 0.25 / 2) // of the mean of two games, 10 % of them drawn
	z := math.Sqrt2 * math.Erfinv(1-2*wrong)
	length := int(math.Ceil(math.Pow(z*sd/half, 2)))
	lo, hi := 0, versions-1 // the step is in (lo, hi]
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		lead := 0.0
		if step <= mid {
			lead = elo
		}
		sum := 0.0
		for range length {
			sum += float64(r.pair(lead))/4 - 0.5
		}
		if sum/float64(length)*math.Copysign(1, elo) > half {
			hi = mid
		} else {
			lo = mid
		}
		pairs += length
	}
	return hi, pairs
}

// The search is right as often as it says, and needs fewer games than halving
// at a fixed length, which knows the size of the step.
func TestLongSimulatedSearches(t *testing.T) {
	cases := 60
	if gametest.Long(t) {
		cases = 1000
	}
	r := simulation{rand.New(rand.NewPCG(1, 2))}
	right, rightHalving, pairs, pairsHalving := 0, 0, 0, 0
	for n := range cases {
		versions := 6 + r.IntN(20)
		step := 1 + r.IntN(versions-1)
		elo := []float64{40, 80, 160}[n%3] * []float64{1, -1}[r.IntN(2)]
		found, used := r.search(versions, step, elo, 16)
		if pairs += used; found == step {
			right++
		}
		found, used = r.halve(versions, step, elo)
		if pairsHalving += used; found == step {
			rightHalving++
		}
	}
	t.Logf("%d cases: right in %.1f %% with %d games a case; halving in %.1f %% with %d", cases,
		100*float64(right)/float64(cases), 2*pairs/cases, 100*float64(rightHalving)/float64(cases), 2*pairsHalving/cases)
	least := 0.935
	if cases < 1000 { // three standard deviations below 95 %
		least = 0.95 - 3*math.Sqrt(0.95*0.05/float64(cases))
	}
	if float64(right) < least*float64(cases) {
		t.Errorf("right in %d of %d cases, want at least %.1f %%", right, cases, 100*least)
	}
	if pairs >= pairsHalving {
		t.Errorf("%d pairs, and halving needs %d", pairs, pairsHalving)
	}
}
