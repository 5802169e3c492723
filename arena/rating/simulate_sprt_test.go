package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"thera/engine/gametest"
)

// sprtCase is a test on results with known probabilities.
type sprtCase struct {
	test  Test
	pairs bool
	// spread is the distribution of results, which is tilted to a strength.
	spread []float64
}

func (c sprtCase) scores() []float64 {
	if c.pairs {
		return []float64{0, 0.25, 0.5, 0.75, 1}
	}
	return []float64{0, 0.5, 1}
}

// moments returns mean and variance of a distribution over scores.
func (c sprtCase) moments(p []float64) (mean, variance float64) {
	for i, a := range c.scores() {
		mean += p[i] * a
	}
	for i, a := range c.scores() {
		variance += p[i] * (a - mean) * (a - mean)
	}
	return mean, variance
}

// score returns the mean score that corresponds to elo in the test's model. It
// follows the definition and does not use the code of the LLR.
func (c sprtCase) score(elo float64, p []float64) float64 {
	_, variance := c.moments(p)
	switch c.test.Model {
	case Normalized:
		games := 1.0
		if c.pairs {
			games = 2
		}
		return 0.5 + elo*math.Ln10/800*math.Sqrt(games*variance)
	case Bayesian:
		drawElo := 200 * math.Log10((1-p[0])/p[0]*(1-p[2])/p[2])
		win := 1 / (1 + math.Pow(10, (drawElo-elo)/400))
		loss := 1 / (1 + math.Pow(10, (drawElo+elo)/400))
		return win + (1-win-loss)/2
	}
	return 1 / (1 + math.Pow(10, -elo/400))
}

// at returns the distribution, tilted exponentially to the mean of elo in the
// model.
func (c sprtCase) at(elo float64) []float64 {
	p := make([]float64, len(c.spread))
	lo, hi := -10.0, 10.0
	for range 200 {
		k := (lo + hi) / 2
		sum := 0.0
		for i, a := range c.scores() {
			p[i] = c.spread[i] * math.Exp(k*(a-0.5))
			sum += p[i]
		}
		for i := range p {
			p[i] /= sum
		}
		if mean, _ := c.moments(p); mean < c.score(elo, p) {
			lo = k
		} else {
			hi = k
		}
	}
	return p
}

// run plays one test to its end and returns the decision and its length.
func (c sprtCase) run(t *testing.T, rng *rand.Rand, p []float64) (string, int) {
	var counts Penta
	for n := 1; ; n++ {
		counts[draw(rng, p)]++
		var s State
		if c.pairs {
			s = c.test.Pairs(counts)
		} else {
			s = c.test.Games(WDL{Wins: counts[2], Draws: counts[1], Losses: counts[0]})
		}
		if s.Decision != Continue {
			return s.Decision, n
		}
		if n > 1e6 {
			t.Fatal("no decision after a million results")
		}
	}
}

// TestSPRTErrorRatesLong checks that a test errs no more often than alpha and
// beta, at both hypotheses.
func TestSPRTErrorRatesLong(t *testing.T) {
	three, five := []float64{0.3, 0.4, 0.3}, []float64{0.06, 0.2, 0.48, 0.2, 0.06}
	n := 2000
	if !gametest.Long(t) {
		n = 60
	}
	for i, c := range []sprtCase{
		{Test{0, 30, 0.05, 0.05, Normalized}, true, five},
		{Test{0, 25, 0.05, 0.05, Normalized}, false, three},
		{Test{-15, 10, 0.05, 0.1, Logistic}, true, five},
		{Test{0, 25, 0.1, 0.05, Logistic}, false, three},
		{Test{0, 35, 0.05, 0.05, Bayesian}, false, three},
	} {
		for k, elo := range []float64{c.test.Elo0, c.test.Elo1} {
			rng := rand.New(rand.NewPCG(uint64(i), uint64(k)))
			p := c.at(elo)
			h1, length := 0, 0
			for range n {
				decision, took := c.run(t, rng, p)
				length += took
				if decision == H1 {
					h1++
				}
			}
			name := fmt.Sprintf("%s, pairs %v, truth %v in %v..%v", c.test.Model, c.pairs, elo, c.test.Elo0, c.test.Elo1)
			share := float64(h1) / float64(n)
			t.Logf("%s: H1 in %.2f %% of %d, mean length %.1f", name, 100*share, n, float64(length)/float64(n))
			// Three standard deviations of the sampled error rate.
			slack := func(rate float64) float64 { return 3 * math.Sqrt(rate*(1-rate)/float64(n)) }
			if k == 0 && share > c.test.Alpha+slack(c.test.Alpha) {
				t.Errorf("%s: error rate %.4f above alpha %v", name, share, c.test.Alpha)
			}
			if k == 1 && 1-share > c.test.Beta+slack(c.test.Beta) {
				t.Errorf("%s: error rate %.4f above beta %v", name, 1-share, c.test.Beta)
			}
		}
	}
}

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
