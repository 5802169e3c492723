// Package spsa tunes numbers by games: simultaneous perturbation stochastic
// approximation.
//
// Each step tries two settings, a little on both sides of the present one in all
// options at once, and goes towards the one that wins. The steps and the distances
// follow the usual sequences (Spall 1998), given by what they are at the end, as in
// fishtest and OpenBench. All that is random follows from a seed and the number of
// the step. The package plays nothing; it refuses to say where an optimum is unless
// the games show that there is one.
package spsa

import (
	"math"
	"math/rand/v2"

	"thera/arena"
	"thera/arena/rating"
)

// Search is a tuning: the steps so far.
type Search struct {
	tune arena.Tune
	seed uint64

	theta []float64
	path  [][]float64 // by step, before it; and the last values
	tried []trial
}

// trial is what was played in a step.
type trial struct {
	plus, minus []float64
	pairs       float64
	lead        float64 // points of plus less those of minus
}

// New begins a tuning.
func New(tune *arena.Tune, seed uint64) *Search {
	s := &Search{tune: *tune, seed: seed}
	for _, o := range tune.Options {
		s.theta = append(s.theta, o.Start)
	}
	s.path = [][]float64{clone(s.theta)}
	return s
}

// Steps is the number of steps so far.
func (s *Search) Steps() int { return len(s.tried) }

// Done reports whether all steps were made.
func (s *Search) Done() bool { return s.Steps() >= s.tune.Iterations }

// Path has the values of all options before each step, and the last ones.
func (s *Search) Path() [][]float64 { return s.path }

// gains returns how far from the present value an option is tried in a step, from
// 0, and how far a point of lead moves it.
func (s *Search) gains(o *arena.TuneOption, step int) (distance, move float64) {
	n, k, delay := float64(s.tune.Iterations), float64(step+1), s.tune.Delay*float64(s.tune.Iterations)
	distance = o.CEnd * math.Pow(n/k, s.tune.Gamma)
	end := o.REnd * o.CEnd * o.CEnd
	return distance, end * math.Pow((delay+n)/(delay+k), s.tune.Alpha) / distance
}

// Distance is how far from the present value an option is tried in a step.
func (s *Search) Distance(option, step int) float64 {
	distance, _ := s.gains(&s.tune.Options[option], step)
	return distance
}

// Next returns the two settings of the next step.
func (s *Search) Next() (plus, minus []float64) {
	_, plus, minus = s.step()
	return plus, minus
}

// step returns the directions of the next step, each 1 or -1, and its settings.
func (s *Search) step() (directions, plus, minus []float64) {
	rng := rand.New(rand.NewPCG(s.seed, uint64(s.Steps())))
	for i := range s.tune.Options {
		o := &s.tune.Options[i]
		direction := 1.0
		if rng.Uint64()&1 == 1 {
			direction = -1
		}
		distance, _ := s.gains(o, s.Steps())
		directions = append(directions, direction)
		plus = append(plus, round(o, s.theta[i]+direction*distance, rng.Float64()))
		minus = append(minus, round(o, s.theta[i]-direction*distance, rng.Float64()))
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

// Add makes the next step from the pairs of games between its two settings, from
// the view of the first one.
func (s *Search) Add(pairs rating.Penta) {
	directions, plus, minus := s.step()
	t := trial{plus: plus, minus: minus, pairs: float64(pairs.Pairs())}
	t.lead = 2 * (pairs.Points() - t.pairs)
	for i := range s.theta {
		o := &s.tune.Options[i]
		_, move := s.gains(o, s.Steps())
		s.theta[i] = min(max(s.theta[i]+move*t.lead*directions[i], o.Min), o.Max)
	}
	s.tried = append(s.tried, t)
	s.path = append(s.path, clone(s.theta))
}

// Tuned returns the present values as an engine gets them.
func (s *Search) Tuned() []float64 {
	var values []float64
	for i := range s.theta {
		values = append(values, round(&s.tune.Options[i], s.theta[i], 0.5))
	}
	return values
}

func clone(x []float64) []float64 { return append([]float64(nil), x...) }
