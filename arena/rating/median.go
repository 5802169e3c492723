package rating

import "math"

// siegmund is the mean overshoot of a random walk with normal steps over a bound,
// in standard deviations of a step.
const siegmund = 0.5825971579390107

// maxMedian bounds the estimates of Elo.
const maxMedian = 2000.0

// Median returns the median-unbiased Elo after the test stopped on these pairs,
// with 95 % bounds: it is as likely to be too high as too low. The Elo of the
// score alone is biased, because a test stops when the results are extreme. All
// three values are nil while the test is undecided, and if they would be beyond
// 2000 Elo because one side won nearly every game.
//
// Outcomes are ordered stage by stage (Siegmund, "Sequential Analysis" 1985,
// sections 3.4 and 3.5), as in fishtest: every H1 is better than every H0, an
// early H1 is better than a late one, and an early H0 is worse than a late one.
// The estimate is the Elo at which an outcome at least as good as the observed
// one has probability ½; for the bounds it is 0.025 and 0.975. Elo is Elo(score)
// of the expected score, as in Estimate, for every model of the test.
//
// The probability is that of a Brownian motion with the drift and variance of
// the LLR, between bounds that are moved apart by the mean overshoot. This is
// accurate for a test of many pairs, some of which were won by the side that lost
// the test, and rough for fewer than about fifty pairs.
func (t Test) Median(p Penta) (elo, lo, hi *float64) {
	s := t.Pairs(p)
	if s.Decision == Continue {
		return nil, nil, nil
	}
	o := outcome{test: t, state: s, seen: distributionOf(pairScores, p[:]...).probabilities()}
	seen := o.motion(o.seen)
	o.time = float64(p.Pairs()) - 0.5 // of outcomes with as many pairs, half count as better
	bound := s.Lower - seen.overshoot()
	if s.Decision == H1 {
		bound = s.Upper + seen.overshoot()
	}
	// If the results are far from the hypotheses, the LLR grows slower than the
	// motion. Use the time at which the motion would have stopped.
	if crossed := bound / seen.drift; crossed > 0 {
		o.time = min(o.time, crossed)
	}
	return o.strength(0.5), o.strength(0.025), o.strength(0.975)
}

// outcome is the end of a test.
type outcome struct {
	test  Test
	state State
	seen  []float64 // observed share of each class of pairs
	time  float64   // pairs
}

// motion is the LLR as a Brownian motion whose time is in pairs.
type motion struct{ drift, sigma float64 }

// overshoot returns how far beyond a bound the test stops on average.
func (m motion) overshoot() float64 { return siegmund * m.sigma }

// motion returns the motion of the LLR if pairs have probabilities p. To first
// order a pair adds (s1-s0)(s-(s0+s1)/2)/v, with variance (s1-s0)²/v.
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

// strength returns the Elo at which an outcome at least as good as o has this
// probability.
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

// asGood returns the probability of an outcome at least as good as o at a strength
// of elo. Pairs then have the most likely distribution with the expected score,
// given the observed one.
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

// exits returns the probability that a Brownian motion from 0 reaches up before
// time and before it reaches -down. It is a sum over the images of the bound
// (Darling and Siegert 1953).
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

// image returns exp(drift (up-c)/sigma²) times the probability that the motion
// reaches c before time.
func image(drift, sigma, up, c, time float64) float64 {
	variance := sigma * sigma
	scale := drift * (up - c) / variance
	if drift < 0 { // c is against the drift: avoid overflow
		scale = drift * (up + c) / variance
		drift = -drift
	}
	root := sigma * math.Sqrt(time)
	before, after := (drift*time-c)/root, (drift*time+c)/root
	// exp(2 drift c / sigma²) Φ(-after), where the exponent is (after² - before²)/2.
	return math.Exp(scale) * (normal(before) + math.Exp(-before*before/2)*mills(after))
}

// mills returns exp(x²/2) Φ(-x) for x > 0.
func mills(x float64) float64 {
	if x < 25 {
		return math.Exp(x*x/2) * normal(-x)
	}
	y := 1 / (x * x)
	return (1 - y*(1-3*y*(1-5*y))) / (x * math.Sqrt(2*math.Pi))
}
