package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"thera/engine/gametest"
)

// draw draws a class from its probabilities.
func draw(rng *rand.Rand, p []float64) int {
	u := rng.Float64()
	for i, x := range p[:len(p)-1] {
		if u < x {
			return i
		}
		u -= x
	}
	return len(p) - 1
}

// matches returns the number of simulated matches and the range for the share
// that the bounds must cover: 93-97 % in the long form, four standard errors
// wider in the short one.
func matches(t *testing.T) (n int, lo, hi float64) {
	n, lo, hi = 2000, 0.93, 0.97
	if !gametest.Long(t) {
		n = 150
		slack := 4 * math.Sqrt(0.95*0.05/float64(n))
		lo, hi = 0.95-slack, min(1, 0.95+slack)
	}
	return n, lo, hi
}

func checkCoverage(t *testing.T, what string, covered, n int, lo, hi float64) {
	t.Helper()
	share := float64(covered) / float64(n)
	t.Logf("%s: the 95 %% bounds cover the true Elo in %d of %d cases, %.2f %%", what, covered, n, 100*share)
	if share < lo || share > hi {
		t.Errorf("%s: covered %.2f %%, want %.2f to %.2f", what, 100*share, 100*lo, 100*hi)
	}
}

// within reports whether the bounds contain the truth. A nil bound is
// unlimited.
func within(lo, hi *float64, truth float64) bool {
	return (lo == nil || *lo <= truth) && (hi == nil || truth <= *hi)
}

func TestGamesCoverageLong(t *testing.T) {
	for _, p := range [][]float64{{0.3, 0.3, 0.4}, {0.02, 0.9, 0.08}, {0.15, 0, 0.85}} {
		n, lo, hi := matches(t)
		truth := Elo(p[1]/2 + p[2])
		rng := rand.New(rand.NewPCG(4, 1))
		covered := 0
		for range n {
			var k [3]int64
			for range 400 {
				k[draw(rng, p)]++
			}
			s := OfGames(WDL{Wins: k[2], Draws: k[1], Losses: k[0]})
			if within(s.EloLo, s.EloHi, truth) {
				covered++
			}
		}
		checkCoverage(t, fmt.Sprintf("400 games, loss/draw/win %v, %.1f Elo", p, truth), covered, n, lo, hi)
	}
}

func TestPairsCoverageLong(t *testing.T) {
	for _, p := range [][]float64{{0.1, 0.15, 0.4, 0.2, 0.15}, {0.01, 0.02, 0.87, 0.06, 0.04}, {0.05, 0, 0.5, 0, 0.45}} {
		n, lo, hi := matches(t)
		truth := Elo(p[1]/4 + p[2]/2 + p[3]*3/4 + p[4])
		rng := rand.New(rand.NewPCG(4, 2))
		covered := 0
		for range n {
			var k Penta
			for range 400 {
				k[draw(rng, p)]++
			}
			s := OfPairs(k)
			if within(s.EloLo, s.EloHi, truth) {
				covered++
			}
		}
		checkCoverage(t, fmt.Sprintf("400 pairs, %v, %.1f Elo", p, truth), covered, n, lo, hi)
	}
}

// TestFitCoverageLong simulates tournaments of six players with draws, in
// pairs of games whose results are correlated by their opening.
func TestFitCoverageLong(t *testing.T) {
	truth := []float64{-180, -90, -20, 30, 80, 180}
	const pairs, draws = 40, 0.5
	n, lo, hi := matches(t)
	rng := rand.New(rand.NewPCG(4, 3))
	covered, los, ahead := make([]int, len(truth)), 0.0, 0
	for range n {
		var results []Meeting
		for i := range truth {
			for j := range i {
				results = append(results, simulatePairs(rng, i, j, Expected(truth[i]-truth[j]), pairs, draws))
			}
		}
		table, err := Fit(results, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, elo := range truth {
			at, _ := table.Find(fmt.Sprint(i))
			if p := table.Players[at]; within(p.EloLo, p.EloHi, elo) {
				covered[i]++
			}
		}
		a, _ := table.Find("3")
		b, _ := table.Find("2")
		x, _ := table.LOS(a, b)
		los += x
		if *table.Players[a].Elo > *table.Players[b].Elo {
			ahead++
		}
	}
	for i, c := range covered {
		checkCoverage(t, fmt.Sprintf("Bradley-Terry, %d pairs a pairing, player at %v", pairs, truth[i]), c, n, lo, hi)
	}
	// The difference of 50 Elo is about 3 standard errors, and the mean of Φ(x)
	// over x ~ N(3, 1) is Φ(3/√2), 0.983.
	t.Logf("player at 30 is ahead of the one at -20 in %d of %d tables, mean LOS %.3f", ahead, n, los/float64(n))
	if mean := los / float64(n); mean < 0.96 || mean > 0.995 {
		t.Errorf("mean LOS %.4f, want about 0.98", mean)
	}
}

// simulatePairs plays pairs between i and j whose expected score is e: a third
// of the openings favours the first seat by 0.2 and a third the second.
func simulatePairs(rng *rand.Rand, i, j int, e float64, pairs int, draws float64) Meeting {
	r := Meeting{A: fmt.Sprint(i), B: fmt.Sprint(j)}
	game := func(score float64) int64 {
		d := draws * 2 * min(score, 1-score)
		return int64(draw(rng, []float64{1 - score - d/2, d, score - d/2}))
	}
	for range pairs {
		bias := min(0.2, e, 1-e) * float64(rng.IntN(3)-1)
		first, second := game(e+bias), game(e-bias)
		for _, half := range []int64{first, second} {
			switch half {
			case 0:
				r.Games.Losses++
			case 1:
				r.Games.Draws++
			case 2:
				r.Games.Wins++
			}
		}
		r.Pairs[first+second]++
	}
	return r
}
