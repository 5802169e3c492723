package versions

import (
	"math"
	"math/rand/v2"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

// The usual exponents of the sequences (Spall 1998), and the share of the steps that
// keeps the first ones small.
const (
	spsaAlpha = 0.602
	spsaGamma = 0.101
	spsaDelay = 0.1
)

// spsa tunes numbers by games: simultaneous perturbation stochastic approximation.
//
// Each step tries two settings, a little on both sides of the present one in all
// options at once, and goes towards the one that wins. The steps and the distances
// follow the usual sequences, given by what they are at the end, as in fishtest and
// OpenBench. All that is random follows from a seed and the number of the step. It
// claims nothing about the values that it ends with: a test of them against the old
// ones does.
type spsa struct {
	tune *arena.Tune
	seed uint64
	path [][]float64 // the values of all options before each step, and the last ones
}

// newSPSA begins a tuning.
func newSPSA(tune *arena.Tune, seed uint64) *spsa {
	var start []float64
	for _, o := range tune.Options {
		start = append(start, o.Start)
	}
	return &spsa{tune: tune, seed: seed, path: [][]float64{start}}
}

// theta returns the present values.
func (s *spsa) theta() []float64 { return s.path[s.steps()] }

// steps is the number of steps so far.
func (s *spsa) steps() int { return len(s.path) - 1 }

// done reports whether all steps were made.
func (s *spsa) done() bool { return s.steps() >= s.tune.Iterations }

// gains returns how far from the present value an option is tried in a step, from
// 0, and how far a point of lead moves it.
func (s *spsa) gains(o *arena.TuneOption, step int) (distance, move float64) {
	n, k := float64(s.tune.Iterations), float64(step+1)
	distance = o.CEnd * math.Pow(n/k, spsaGamma)
	end := o.REnd * o.CEnd * o.CEnd
	return distance, end * math.Pow((spsaDelay*n+n)/(spsaDelay*n+k), spsaAlpha) / distance
}

// next returns the directions of the next step, each 1 or -1, and its two settings.
func (s *spsa) next() (directions, plus, minus []float64) {
	rng := rand.New(rand.NewPCG(s.seed, uint64(s.steps())))
	for i := range s.tune.Options {
		o := &s.tune.Options[i]
		direction := 1.0
		if rng.Uint64()&1 == 1 {
			direction = -1
		}
		distance, _ := s.gains(o, s.steps())
		directions = append(directions, direction)
		plus = append(plus, round(o, s.theta()[i]+direction*distance, rng.Float64()))
		minus = append(minus, round(o, s.theta()[i]-direction*distance, rng.Float64()))
	}
	return directions, plus, minus
}

// round returns a value that an option can have. chance is between 0 and 1.
func round(o *arena.TuneOption, x, chance float64) float64 {
	x = min(max(x, o.Min), o.Max)
	if o.Fractions {
		return x
	}
	return min(max(math.Floor(x+chance), math.Ceil(o.Min)), math.Floor(o.Max))
}

// add makes the next step from the pairs of games between its two settings, from
// the view of the first one.
func (s *spsa) add(pairs rating.Penta) {
	directions, _, _ := s.next()
	lead := 2*pairs.Points() - 2*float64(pairs.Pairs()) // points of the first less those of the second
	theta := slices.Clone(s.theta())
	for i := range theta {
		o := &s.tune.Options[i]
		_, move := s.gains(o, s.steps())
		theta[i] = min(max(theta[i]+move*lead*directions[i], o.Min), o.Max)
	}
	s.path = append(s.path, theta)
}

// tuned returns the present values as an engine gets them.
func (s *spsa) tuned() []float64 {
	var values []float64
	for i, x := range s.theta() {
		values = append(values, round(&s.tune.Options[i], x, 0.5))
	}
	return values
}
