package rating

import "math"

// siegmund is how far a random walk of normal steps, in standard deviations of
// a step, goes beyond a bound on average when it first crosses it.
const siegmund = 0.5825971579390107

// maxMedian bounds the estimates of strength, in Elo.
const maxMedian = 2000.0

// Median is the Elo that is as likely too high as too low given that the test
// stopped on these pairs, with its 95 % bounds: the Elo of the score alone is
// too far from the middle, because a test stops where the results were extreme.
// All three are nil while the test is undecided, and where one side took all, or
// as good as all: beyond 2000 Elo.
//
// Outcomes are ordered stage by stage (Siegmund, "Sequential Analysis" 1985,
// sections 3.4 and 3.5; fishtest does the same): every H1 is better than every
// H0, an early H1 better than a late one, an early H0 worse than a late one.
// The estimate is the strength at which an outcome as good as the one seen has
// probability ½, the bounds are those of 0.025 and 0.975. A strength is an
// expected score, given as Elo on the logistic scale for every model of the test
// is: Elo(score), as in Estimate.
//
// The probability is that of a Brownian motion with the drift and variance of
// the LLR, between bounds moved apart by the mean overshoot. So it is good where
// a test took many pairs, some of them won by the side that lost it; of a test
// of fewer than about fifty pairs it is a rough figure.
func (t Test) Median(p Penta) (elo, lo, hi *float64) {
	s := t.Pairs(p)
	if s.Decision == Continue {
		return nil, nil, nil
	}
	o := outcome{test: t, state: s, seen: distributionOf(pairScores, p[:]...).probabilities()}
	seen := o.motion(o.seen)
	o.time = float64(p.Pairs()) - 0.5 // half of those that stop at the same pair are better
	bound := s.Lower - seen.overshoot()
	if s.Decision == H1 {
		bound = s.Upper + seen.overshoot()
	}
	// The LLR of results far from the hypotheses grows slower than the motion
	// does: they count as stopped when the motion would have.
	if crossed := bound / seen.drift; crossed > 0 {
		o.time = min(o.time, crossed)
	}
	return o.strength(0.5), o.strength(0.025), o.strength(0.975)
}

// outcome is how a test ended.
type outcome struct {
	test  Test
	state State
	seen  []float64 // share of each class of pairs
	time  float64   // pairs
}

// motion is the LLR as a Brownian motion, by pairs.
type motion struct{ drift, sigma float64 }

// overshoot is how far beyond a bound the test stops on average.
func (m motion) overshoot() float64 { return siegmund * m.sigma }

// motion of the LLR where pairs have these probabilities, to first order:
// (s1-s0)(s-(s0+s1)/2)/v a pair, with variance (s1-s0)²/v.
func (o *outcome) motion(p []float64) motion {
	mean, deviation := moments(p, pairScores)
	s0, s1 := Expected(o.test.Elo0), Expected(o.test.Elo1)
	if o.test.Model == Normalized {
		scale := math.Sqrt2 / perNelo * deviation
		s0, s1 = 0.5+o.test.Elo0*scale, 0.5+o.test.Elo1*scale
	}
	slope := (s1 - s0) / deviation
	return motion{slope * (mean - (s0+s1)/2) / deviation, slope}
}

// strength is the Elo at which an outcome as good as o has this probability.
func (o *outcome) strength(probability float64) *float64 {
	lo, hi := -maxMedian, maxMedian
	if o.asGood(lo) > probability || o.asGood(hi) < probability {
		return nil
	}
	for hi-lo > 1e-7 {
		middle := (lo + hi) / 2
		if o.asGood(middle) < probability {
			lo = middle
		} else {
			hi = middle
		}
	}
	return finite((lo + hi) / 2)
}

// asGood is the probability of an outcome at least as good as o where the
// strength is elo: the pairs then have the likeliest distribution, given what
// was seen, that has its score.
func (o *outcome) asGood(elo float64) float64 {
	p := make([]float64, len(o.seen))
	shift(p, o.seen, pairScores, Expected(elo))
	for i, q := range p {
		p[i] = o.seen[i] / q
	}
	m := o.motion(p)
	up, down := o.state.Upper+m.overshoot(), -o.state.Lower+m.overshoot()
	if o.state.Decision == H1 {
		return exits(m.drift, m.sigma, up, down, o.time)
	}
	return 1 - exits(-m.drift, m.sigma, down, up, o.time)
}

// exits is the probability that a Brownian motion from 0 has left through the
// bound at up, without having been at -down, before time. It is the sum over
// the images of the bound (Darling and Siegert 1953): each is the probability
// to have reached a bound at c.
func exits(drift, sigma, up, down, time float64) float64 {
	width := up + down
	sum := 0.0
	for n := 0; n < 10_000; n++ {
		near, far := up+2*float64(n)*width, 2*float64(n+1)*width-up
		term := image(drift, sigma, up, near, time) - image(drift, sigma, up, far, time)
		sum += term
		if math.Abs(term) < 1e-16 {
			break
		}
	}
	return min(max(sum, 0), 1)
}

// image is exp(drift (up-c)/sigma²) times the probability that the motion has
// reached c before time.
func image(drift, sigma, up, c, time float64) float64 {
	variance := sigma * sigma
	scale := drift * (up - c) / variance
	if drift < 0 { // reaching c against the drift: written so that nothing overflows
		scale = drift * (up + c) / variance
		drift = -drift
	}
	root := sigma * math.Sqrt(time)
	before, after := (drift*time-c)/root, (drift*time+c)/root
	// exp(2 drift c / sigma²) Φ(-after), where the exponent is (after² - before²)/2.
	return math.Exp(scale) * (normal(before) + math.Exp(-before*before/2)*mills(after))
}

// mills is exp(x²/2) Φ(-x), for x > 0.
func mills(x float64) float64 {
	if x < 25 {
		return math.Exp(x*x/2) * normal(-x)
	}
	y := 1 / (x * x)
	return (1 - y*(1-3*y*(1-5*y))) / (x * math.Sqrt(2*math.Pi))
}
