package versions

import (
	"math"
	"math/rand/v2"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

// spsa tunes numbers by games: simultaneous perturbation stochastic approximation. It
// has the steps so far.
//
// Each step tries two settings, a little on both sides of the present one in all
// options at once, and goes towards the one that wins. Steps that go nowhere, probes,
// show whether the strength is lower on both sides of where the search settles. The
// steps and the distances follow the usual sequences (Spall 1998), given by what they
// are at the end, as in fishtest and OpenBench. All that is random follows from a seed
// and the number of the step. It does not say where an optimum is unless the games show
// that there is one.
type spsa struct {
	tune arena.Tune
	seed uint64

	theta []float64
	path  [][]float64 // the values of all options before each step, and the last ones
	tried []trial
}

// trial is what was played in a step.
type trial struct {
	plus, minus []float64
	pairs       float64
	lead        float64 // points of plus less those of minus
	probe       *probe
	counts      rating.Penta
}

// probe is a step that plays the present values against those with one option far
// above or below. It moves nothing.
type probe struct {
	option int
	above  bool
}

// far is the distance of a probe, in units of c_end: a value there loses many times
// what one a c_end away does.
const far = 4

// probeEvery is how often a step of the second half, when the values have settled, is a
// probe.
const probeEvery = 3

// probe returns what a step probes, nil for a step of the search.
func (s *spsa) probe(step int) *probe {
	late := step - (s.tune.Iterations+1)/2
	if late < 0 || late%probeEvery != probeEvery-1 {
		return nil
	}
	n := late / probeEvery
	return &probe{option: n / 2 % len(s.tune.Options), above: n%2 == 0}
}

// newSPSA begins a tuning.
func newSPSA(tune *arena.Tune, seed uint64) *spsa {
	s := &spsa{tune: *tune, seed: seed}
	for _, o := range tune.Options {
		s.theta = append(s.theta, o.Start)
	}
	s.path = [][]float64{slices.Clone(s.theta)}
	return s
}

// steps is the number of steps so far.
func (s *spsa) steps() int { return len(s.tried) }

// done reports whether all steps were made.
func (s *spsa) done() bool { return s.steps() >= s.tune.Iterations }

// gains returns how far from the present value an option is tried in a step, from
// 0, and how far a point of lead moves it.
func (s *spsa) gains(o *arena.TuneOption, step int) (distance, move float64) {
	n, k, delay := float64(s.tune.Iterations), float64(step+1), s.tune.Delay*float64(s.tune.Iterations)
	distance = o.CEnd * math.Pow(n/k, s.tune.Gamma)
	end := o.REnd * o.CEnd * o.CEnd
	return distance, end * math.Pow((delay+n)/(delay+k), s.tune.Alpha) / distance
}

// distance is how far from the present value an option is tried in a step.
func (s *spsa) distance(option, step int) float64 {
	distance, _ := s.gains(&s.tune.Options[option], step)
	return distance
}

// next returns the two settings of the next step.
func (s *spsa) next() (plus, minus []float64) {
	_, plus, minus = s.step()
	return plus, minus
}

// step returns the directions of the next step, each 1 or -1, and its settings. A probe
// has no directions.
func (s *spsa) step() (directions, plus, minus []float64) {
	if p := s.probe(s.steps()); p != nil {
		o := &s.tune.Options[p.option]
		plus = s.tuned()
		minus = slices.Clone(plus)
		way := -far * o.CEnd
		if p.above {
			way = -way
		}
		minus[p.option] = round(o, plus[p.option]+way, 0.5)
		return make([]float64, len(plus)), plus, minus
	}
	rng := rand.New(rand.NewPCG(s.seed, uint64(s.steps())))
	for i := range s.tune.Options {
		o := &s.tune.Options[i]
		direction := 1.0
		if rng.Uint64()&1 == 1 {
			direction = -1
		}
		distance, _ := s.gains(o, s.steps())
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

// add makes the next step from the pairs of games between its two settings, from
// the view of the first one.
func (s *spsa) add(pairs rating.Penta) {
	directions, plus, minus := s.step()
	t := trial{plus: plus, minus: minus, pairs: float64(pairs.Pairs()), probe: s.probe(s.steps()), counts: pairs}
	t.lead = 2 * (pairs.Points() - t.pairs)
	for i := range s.theta {
		o := &s.tune.Options[i]
		_, move := s.gains(o, s.steps())
		s.theta[i] = min(max(s.theta[i]+move*t.lead*directions[i], o.Min), o.Max)
	}
	s.tried = append(s.tried, t)
	s.path = append(s.path, slices.Clone(s.theta))
}

// tuned returns the present values as an engine gets them.
func (s *spsa) tuned() []float64 {
	var values []float64
	for i := range s.theta {
		values = append(values, round(&s.tune.Options[i], s.theta[i], 0.5))
	}
	return values
}
