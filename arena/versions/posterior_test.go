package versions

import (
	"math"
	"math/rand/v2"
	"testing"

	"thera/arena/rating"
	"thera/engine/gametest"
)

// A step between two versions moves the posterior to itself, whichever way it
// goes, and the curve follows.
func TestPosterior(t *testing.T) {
	s := newLine(5)
	p := s.posterior()
	for k, q := range p.Step {
		if k > 0 && math.Abs(q-0.25) > 1e-9 || p.Elo[k] > 1e-9 {
			t.Errorf("before the first game: step %d has %v, Elo %v", k, q, p.Elo[k])
		}
	}
	won := rating.Penta{5, 10, 30, 20, 35} // of the older version
	even := rating.Penta{20, 15, 30, 15, 20}
	s.played[[2]int{0, 4}] = won
	s.played[[2]int{0, 2}] = even
	s.played[[2]int{2, 3}] = won
	p = s.posterior()
	if step, q := p.best(); step != 3 || q < 0.99 {
		t.Errorf("step %d with %v, want 3", step, q)
	}
	want := rating.OfPairs(won).Elo
	if math.Abs(p.Elo[4]+*want) > 15 || math.Abs(p.Elo[2]) > 5 || p.Error[4] > 30 {
		t.Errorf("curve %.1f ± %.1f, want a fall of %.1f after version 2", p.Elo, p.Error, *want)
	}
	later := newLine(3)
	later.played[[2]int{1, 2}] = won
	p = later.posterior()
	if step, q := p.best(); step != 2 || q < 0.99 {
		t.Errorf("after games of the last two versions: step %d with %v", step, q)
	}
	gain := newLine(5)
	gain.played[[2]int{0, 2}] = even
	gain.played[[2]int{2, 3}] = won.Flip()
	if p := gain.posterior(); p.Elo[3] < 50 {
		t.Errorf("a gain gives the curve %.1f", p.Elo)
	}
}

// The next games are between versions on both sides of where the step can be.
func TestNext(t *testing.T) {
	s := newLine(9)
	next := func() (int, int) {
		p := s.posterior()
		return s.next(&p)
	}
	if older, newer := next(); newer-older < 2 || newer-older > 6 {
		t.Errorf("the first games are between %d and %d: they tell little", older, newer)
	}
	s.played[[2]int{0, 8}] = rating.Penta{5, 10, 30, 20, 35}
	s.played[[2]int{0, 4}] = rating.Penta{40, 30, 60, 30, 40} // not before version 4
	if older, newer := next(); (older <= 4 || older >= 8) && (newer <= 4 || newer >= 8) {
		t.Errorf("games between %d and %d cannot divide 5 to 8", older, newer)
	}
	s = newLine(2)
	if older, newer := next(); older != 0 || newer != 1 {
		t.Errorf("of two versions %d and %d play", older, newer)
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

// search looks for a step with batches of games until a step has 95 %.
func (r simulation) search(versions, step int, elo float64, batch int) (found, pairs int) {
	s := newLine(versions)
	for pairs < 20_000 {
		p := s.posterior()
		if best, q := p.best(); q >= 0.95 {
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
