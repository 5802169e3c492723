package rating

import (
	"fmt"
	"math"
)

// Model is the scale of the hypotheses of a Test.
type Model string

// The models. Normalized is the default of fishtest, OpenBench and fastchess.
const (
	Normalized Model = "normalized"
	Logistic   Model = "logistic"
	Bayesian   Model = "bayesian" // BayesElo with draw Elo from the data; games only
)

// Test is a sequential probability ratio test (Wald 1945) of Elo0 against
// Elo1, generalised by maximum likelihood (Van den Bergh). Alpha and Beta are the error
// rates, each between 0 and 0.5. Its tags are those of the settings of package arena.
type Test struct {
	Elo0  float64 `yaml:"elo0" json:"elo0" default:"0" condition:"no" doc:"H0: the first engine is no stronger than this"`
	Elo1  float64 `yaml:"elo1" json:"elo1" default:"10" condition:"no" doc:"H1: it is at least this much stronger"`
	Alpha float64 `yaml:"alpha" json:"alpha" default:"0.05" condition:"no" doc:"chance to accept H1 wrongly"`
	Beta  float64 `yaml:"beta" json:"beta" default:"0.05" condition:"no" doc:"chance to accept H0 wrongly"`
	Model Model   `yaml:"model" json:"model" enum:"normalized,logistic,bayesian" default:"normalized" condition:"no" doc:"what Elo means in the bounds"`
}

// The decisions of a test.
const (
	Continue = "continue"
	H0       = "H0" // Elo0 or worse
	H1       = "H1" // Elo1 or better
)

// State is the state of a test.
type State struct {
	LLR       float64  `json:"llr"`
	Lower     float64  `json:"lower"`
	Upper     float64  `json:"upper"`
	Decision  string   `json:"decision"`
	GamesLeft *float64 `json:"games_left"` // expected if results stay as they are; nil if unknown
	Caveats   []string `json:"-"`
}

// maxElo bounds the hypotheses: beyond it expected scores lose their digits.
const maxElo = 1000

// Check says what is wrong with the test; pairs reports whether it is to be fed
// with pairs.
func (t Test) Check(pairs bool) error {
	switch t.Model {
	case Normalized, Logistic:
	case Bayesian:
		if pairs {
			return fmt.Errorf("model bayesian works on wins, draws and losses, not on pairs (use normalized or logistic)")
		}
	default:
		return fmt.Errorf("model %q: want normalized, logistic or bayesian", t.Model)
	}
	elo := func(x float64) bool { return math.Abs(x) <= maxElo }
	rate := func(x float64) bool { return x > 0 && x < 0.5 }
	switch {
	case !elo(t.Elo0) || !elo(t.Elo1):
		return fmt.Errorf("elo0 %v, elo1 %v: want numbers from -%d to %d", t.Elo0, t.Elo1, maxElo, maxElo)
	case t.Elo0 >= t.Elo1:
		return fmt.Errorf("elo0 %v is not below elo1 %v", t.Elo0, t.Elo1)
	case !rate(t.Alpha) || !rate(t.Beta):
		return fmt.Errorf("alpha %v, beta %v: want rates above 0 and below 0.5", t.Alpha, t.Beta)
	}
	return nil
}

// Bounds returns the bounds of the LLR, ln(β/(1-α)) and ln((1-β)/α).
func (t Test) Bounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// The possible scores of a game and of a pair.
var (
	gameScores = []float64{0, 0.5, 1}
	pairScores = []float64{0, 0.25, 0.5, 0.75, 1}
)

// Games returns the state of the test after single games.
func (t Test) Games(c WDL) State {
	d := distributionOf(gameScores, c.Losses, c.Draws, c.Wins)
	return t.state(d, 1)
}

// Pairs returns the state of the test after finished pairs.
func (t Test) Pairs(p Penta) State {
	d := distributionOf(pairScores, p[:]...)
	return t.state(d, 2)
}

// state returns the state of the test after d, whose observations have that many
// games each. A test that Check refuses stays undecided.
func (t Test) state(d distribution, games float64) State {
	s := State{Decision: Continue, Caveats: []string{}}
	if err := t.Check(games == 2); err != nil {
		s.Caveats = append(s.Caveats, err.Error())
		return s
	}
	s.Lower, s.Upper = t.Bounds()
	if d.n == 0 {
		s.Caveats = append(s.Caveats, "no games: nothing is known")
		return s
	}
	llr, per := t.ratio(d, games)
	s.LLR = llr
	switch {
	case llr >= s.Upper:
		s.Decision, s.GamesLeft = H1, finite(0)
	case llr <= s.Lower:
		s.Decision, s.GamesLeft = H0, finite(0)
	default:
		s.GamesLeft = finite(math.Ceil(per.left(llr, s.Lower, s.Upper) * games))
	}
	switch {
	case t.Model == Bayesian && (d.counts[0] == 0 || d.counts[len(d.counts)-1] == 0):
		s.Caveats = append(s.Caveats, "the bayesian model needs a win and a loss: until then the LLR is 0")
	case d.flat:
		s.Caveats = append(s.Caveats, "all results are equal: the LLR takes counts of zero as 0.001")
	}
	return s
}

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
