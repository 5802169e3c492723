package rating

import "math"

// noCount replaces a count of 0 in likelihoods.
const noCount = 1e-3

// distribution counts how often each score occurred, n times in total.
type distribution struct {
	scores []float64
	counts []float64
	n      float64
	flat   bool // all scores are equal
}

func distributionOf(scores []float64, counts ...int64) distribution {
	d := distribution{scores: scores, counts: make([]float64, len(counts))}
	classes := 0
	for i, c := range counts {
		d.counts[i] = float64(c)
		d.n += float64(c)
		if c > 0 {
			classes++
		}
	}
	d.flat = classes < 2
	return d
}

// probabilities returns the shares of the counts, with noCount in place of 0.
func (d distribution) probabilities() []float64 {
	p, n := make([]float64, len(d.counts)), 0.0
	for i, c := range d.counts {
		p[i] = max(c, noCount)
		n += p[i]
	}
	for i := range p {
		p[i] /= n
	}
	return p
}

// step is the mean and variance of what one more observation adds to the log
// likelihood ratio.
type step struct{ mean, variance float64 }

// ratio returns the log likelihood ratio N Σ p̂ᵢ ln(p1ᵢ/p0ᵢ), where p0 and p1 are
// the maximum likelihood distributions under the two hypotheses.
func (t Test) ratio(d distribution, games float64) (llr float64, per step) {
	p := d.probabilities()
	// p0 is p̂/q0 and p1 is p̂/q1, so p1/p0 is q0/q1.
	q0, q1 := make([]float64, len(p)), make([]float64, len(p))
	switch t.Model {
	case Normalized:
		scale := math.Sqrt(games) / perNelo
		tilt(q0, p, d.scores, t.Elo0*scale)
		tilt(q1, p, d.scores, t.Elo1*scale)
	case Logistic:
		shift(q0, p, d.scores, Expected(t.Elo0))
		shift(q1, p, d.scores, Expected(t.Elo1))
	case Bayesian:
		if d.counts[0] == 0 || d.counts[len(p)-1] == 0 {
			return 0, step{}
		}
		loss, win := p[0], p[len(p)-1]
		drawElo := 200 * math.Log10((1-loss)/loss*(1-win)/win)
		score := func(elo float64) float64 {
			win, loss := Expected(elo-drawElo), Expected(-elo-drawElo)
			return win + (1-win-loss)/2
		}
		shift(q0, p, d.scores, score(t.Elo0))
		shift(q1, p, d.scores, score(t.Elo1))
	}
	n := 0.0
	for i := range p {
		x := math.Log(q0[i] / q1[i])
		per.mean += p[i] * x
		per.variance += p[i] * x * x
		n += max(d.counts[i], noCount)
	}
	per.variance -= per.mean * per.mean
	return n * per.mean, per
}

// shift computes the weights q of the most likely distribution p̂/q with that
// mean: q = 1 + θ(a - mean), where Σ p̂(a-mean)/q = 0.
func shift(q, p, scores []float64, mean float64) {
	for i, a := range scores {
		q[i] = a - mean
	}
	weigh(q, p)
}

// tilt computes the weights of the most likely distribution whose mean is t
// standard deviations above one half, by Van den Bergh's fixed-point iteration.
// It starts from the uniform distribution with a share added at one end, so that
// its mean is already right. From the uniform distribution itself the iteration
// does not converge if t is large.
func tilt(q, p, scores []float64, t float64) {
	at := make([]float64, len(p))
	for i := range at {
		at[i] = 1 / float64(len(at))
	}
	// With a share s at the end the mean is ½ ± s/2 and the variance is
	// (1-s)(v + s/4).
	_, sigma := moments(at, scores)
	v, t2 := sigma*sigma, t*t
	share := (t2*(0.25-v) + math.Sqrt(t2*t2*(0.25-v)*(0.25-v)+(1+t2)*t2*v)) / ((1 + t2) / 2)
	for i := range at {
		at[i] *= 1 - share
	}
	if t < 0 {
		at[0] += share
	} else {
		at[len(at)-1] += share
	}
	before := math.Inf(1)
	for range 500 {
		mu, sigma := moments(at, scores)
		for i, a := range scores {
			u := (a - mu) / sigma
			q[i] = a - 0.5 - 0.5*t*sigma*(1+u*u)
		}
		weigh(q, p)
		moved := 0.0
		for i := range at {
			next := p[i] / q[i]
			moved = max(moved, math.Abs(next-at[i]))
			at[i] = next
		}
		if moved < 1e-15 || moved < 1e-9 && moved >= before { // converged up to rounding
			return
		}
		before = moved
	}
}

// moments returns the mean and the standard deviation of scores with
// probabilities p.
func moments(p, scores []float64) (mean, deviation float64) {
	square := 0.0
	for i, a := range scores {
		mean += p[i] * a
		square += p[i] * a * a
	}
	return mean, math.Sqrt(square - mean*mean)
}

// weigh replaces each φ in q by the weight 1 + θφ, where θ solves
// Σ p̂φ/(1+θφ) = 0 and all weights are positive. Between two poles the sum falls
// from +∞ to -∞, so there is exactly one root. It is found by Newton's method
// within a shrinking bracket. The unknown x is the distance to the pole on the
// root's side: the weight that is 0 at the pole then stays accurate even if the
// root is very close to the pole.
func weigh(q, p []float64) {
	least, most, slope := math.Inf(1), math.Inf(-1), 0.0
	for i, f := range q {
		least, most, slope = min(least, f), max(most, f), slope+p[i]*f
	}
	pole := most // θ is -1/pole + x/pole
	if slope > 0 {
		pole = least
	}
	weight := func(f, x float64) float64 {
		if f == pole {
			return x
		}
		return (pole - f + x*f) / pole
	}
	lo, hi, x := 0.0, 1.0, 1.0 // x = 1 is θ = 0
	for range 300 {
		sum, slope := 0.0, 0.0
		for i, f := range q {
			g := f / pole / weight(f, x)
			sum += p[i] * g
			slope -= p[i] * g * g
		}
		if sum == 0 {
			break
		}
		if sum > 0 {
			lo = x
		} else {
			hi = x
		}
		next := x - sum/slope
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-x) <= 1e-16*x || next == lo && next == hi {
			x = next
			break
		}
		x = next
	}
	for i, f := range q {
		q[i] = weight(f, x)
	}
}

// left returns about how many observations are expected until the LLR leaves its
// bounds, if further results are distributed like those so far: as many as its drift needs to
// one of them, or, if that is less, as its noise needs alone.
func (r step) left(llr, lower, upper float64) float64 {
	way := upper - llr
	if r.mean < 0 {
		way = llr - lower
	}
	return min(way/math.Abs(r.mean), (llr-lower)*(upper-llr)/r.variance)
}
