package versions

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/rating"
	"thera/arena/report"
	"thera/engine/game"
)

// Tuning is a search for the best values of an engine's options, and the test of what
// it finds.
type Tuning struct {
	*Contest
	tune  *arena.Tune
	step  *arena.Plan // of plus against minus, before their options are set
	test  *arena.Plan // of tuned against old
	key   string      // of the settings and the playing conditions
	games int
}

// NewTuning reads the part tune of the contest's file, and builds the engine.
func (c *Contest) NewTuning(ctx context.Context) (*Tuning, error) {
	t := &Tuning{Contest: c}
	var err error
	if t.tune, err = c.Tune(); err != nil {
		return nil, err
	}
	match := config.Match{
		Name: "tune", Alike: []string{"plus", "minus"}, Stage: -1, Format: "round-robin", Rounds: t.tune.Pairs, Trial: true,
	}
	if t.step, err = c.Plan(match); err != nil {
		return nil, err
	}
	if t.test, err = c.Plan(config.Match{Name: "tune", Alike: []string{"tuned", "old"}, Stage: -1, Format: "sprt"}); err != nil {
		return nil, err
	}
	for _, plan := range []**arena.Plan{&t.step, &t.test} { // they are copies from here on
		if *plan, _, err = c.Builder.Build(ctx, *plan); err != nil {
			return nil, err
		}
	}
	t.key = filepath.Base(t.step.File) + ", " + keyOf(t.tune, conditionsKey(t.step))
	return t, nil
}

// Run plays the steps that are not stored, and the test.
func (t *Tuning) Run(ctx context.Context, play Games) (*report.Tuning, error) {
	if err := play.look(ctx); err != nil {
		return nil, err
	}
	search := newSPSA(t.tune, t.step.Seed)
	for !search.done() {
		pairs, played, err := t.next(ctx, &play, search)
		if err != nil {
			if ctx.Err() != nil {
				t.say("interrupted after %d steps; the same command resumes", search.steps())
			}
			return nil, err
		}
		t.games += 2 * int(pairs.Pairs())
		if search.add(pairs); played {
			t.say("step %d of %d: %s", search.steps(), t.tune.Iterations, t.words(search.path[search.steps()]))
		}
	}
	answer := t.answer(search)
	return answer, t.prove(play, search.tuned(), answer)
}

func (t *Tuning) say(format string, args ...any) { t.Contest.say("tune: "+format, args...) }

// words are the values of all options.
func (t *Tuning) words(values []float64) string {
	var words []string
	for i, x := range values {
		words = append(words, fmt.Sprintf("%s %.4g", t.tune.Options[i].Name, x))
	}
	return strings.Join(words, ", ")
}

// next returns the pairs of the next step: those that are stored, or else played.
func (t *Tuning) next(ctx context.Context, play *Games, search *spsa) (pairs rating.Penta, played bool, err error) {
	_, plus, minus := search.next()
	if slices.Equal(plus, minus) { // their games would be even
		return pairs, false, nil
	}
	plan := *t.step
	plan.Name, plan.Seed = fmt.Sprintf("tune %s, step %d", t.key, search.steps()+1), seedOf(plan.Seed, search.steps())
	sum, err := play.stored(ctx, plan.Name, plan.Format.Rounds, plan.Game)
	if played = sum == nil && err == nil; played {
		plan.Engines = slices.Clone(plan.Engines)
		for i, values := range [][]float64{plus, minus} {
			plan.Engines[i].Options = t.set(plan.Engines[i].Options, values)
		}
		sum, err = play.Play(&plan, true)
	}
	if err != nil {
		return pairs, false, err
	}
	return pairsOf(sum, "plus"), played, nil
}

// seedOf is the seed of a step: each has other openings.
func seedOf(seed uint64, step int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "tune %d %d", seed, step))
	return binary.LittleEndian.Uint64(sum[:])
}

// set gives the tuned options values, in their places or after the others.
func (t *Tuning) set(options []game.Option, values []float64) []game.Option {
	out := slices.Clone(options)
	for i := range t.tune.Options {
		o := &t.tune.Options[i]
		value := game.Option{Name: o.Name, Value: o.Text(values[i])}
		if at := slices.IndexFunc(out, func(x game.Option) bool { return x.Name == o.Name }); at >= 0 {
			out[at] = value
		} else {
			out = append(out, value)
		}
	}
	return out
}

// answer describes where a search is.
func (t *Tuning) answer(s *spsa) *report.Tuning {
	answer := &report.Tuning{
		File: t.test.File, Game: t.test.Game.Name(), Limit: t.test.Limit.Text(),
		Iterations: s.steps(), Planned: t.tune.Iterations, Games: t.games, Warnings: []string{},
	}
	values := s.tuned()
	for i := range t.tune.Options {
		o := &t.tune.Options[i]
		one := report.TunedOption{Name: o.Name, Start: o.Start, Value: values[i], Text: o.Text(values[i]), Spread: []float64{}}
		for step, at := range s.path {
			if one.Path = append(one.Path, at[i]); step < s.steps() {
				distance, _ := s.gains(o, step)
				one.Spread = append(one.Spread, distance)
			}
		}
		answer.Options = append(answer.Options, one)
	}
	return answer
}

// prove plays the tuned values against the engine as it was.
func (t *Tuning) prove(play Games, values []float64, answer *report.Tuning) error {
	unchanged := true
	for i, x := range values {
		unchanged = unchanged && math.Abs(x-t.tune.Options[i].Start) < 1e-9
	}
	if unchanged {
		return nil
	}
	t.test.Engines[0].Options = t.set(t.test.Engines[0].Options, values)
	t.test.Name = "tune " + t.key + ": tuned v old"
	v := &report.Verdict{}
	_, err := t.stage(play, t.test, v)
	if err == nil {
		answer.Test, answer.Passed = &v.Stages[0], v.Passed
		answer.Warnings = append(answer.Warnings, v.Warnings...)
	}
	return err
}

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
	start := arena.Map(tune.Options, func(o arena.TuneOption) float64 { return o.Start })
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
