package tournament

import (
	"thera/arena"
	"thera/arena/rating"
)

var sprtKind = kind{
	name: "sprt", doc: "two engines, until a sequential test decides",
	settings: map[string]string{"tournament.rounds": "most pairs (default 100000)", "sprt": ""},
	rounds:   func(int) int { return 100_000 }, // a bound for tests that never decide
	check:    checkSPRT,
	begin:    func(f *Fold) format { return newSPRT(f) },
}

func checkSPRT(plan *arena.Plan, bad report) {
	s := plan.SPRT
	if n := len(plan.Engines); n != 2 {
		bad("engines", "sprt with %d engines, expected two: the new one, then the old one (gauntlet measures one against many)", n)
	}
	if s.Elo0 >= s.Elo1 {
		bad("sprt", "elo0 %v is not below elo1 %v, expected H0 to be the weaker claim", s.Elo0, s.Elo1)
	}
	elo := func(key string, value float64) {
		if value < -1000 || value > 1000 {
			bad("sprt."+key, "%v is out of range, expected -1000 to 1000", value)
		}
	}
	rate := func(key string, value float64) {
		if !(value > 0 && value < 0.5) {
			bad("sprt."+key, "%v is not an error rate, expected more than 0 and less than 0.5", value)
		}
	}
	elo("elo0", s.Elo0)
	elo("elo1", s.Elo1)
	rate("alpha", s.Alpha)
	rate("beta", s.Beta)
	if s.Model == "bayesian" {
		bad("sprt.model", "bayesian counts single games and this test counts pairs, expected normalized or logistic (thera elo takes single games)")
	}
}

// sprt plays two engines until the test decides. Tests with earlier bounds of the
// run continue on the same pairs, each with its own decision.
type sprt struct {
	fold  *Fold
	limit int // pairs
	pairs rating.Penta
	tests []*test // the run's own test comes first

	course llrCourse
}

// test is one sequential test.
type test struct {
	arena.SPRT
	rating  rating.Test
	earlier bool
	now     rating.State
	decided *rating.State // at the decision, nil before
	at      rating.Penta  // the pairs at the decision
}

func newSPRT(f *Fold) *sprt {
	t := &sprt{fold: f, limit: f.plan.Format.Rounds}
	for i, bounds := range append([]arena.SPRT{f.plan.SPRT}, f.plan.Earlier...) {
		if i > 0 && bounds == f.plan.SPRT {
			continue
		}
		one := &test{SPRT: bounds, earlier: i > 0, rating: rating.Test{
			Elo0: bounds.Elo0, Elo1: bounds.Elo1, Alpha: bounds.Alpha, Beta: bounds.Beta, Model: rating.Model(bounds.Model),
		}}
		one.now = one.rating.Pairs(t.pairs)
		t.tests = append(t.tests, one)
	}
	return t
}

func (t *sprt) next(place int) (Pair, Readiness) {
	if place >= t.limit {
		return Pair{}, Over
	}
	return Pair{A: 0, B: 1, Round: place + 1, Number: place}, Ready
}

func (t *sprt) has(k key, _ int) bool { return k.a != k.b && int(k.number) < t.limit }

func (t *sprt) total() int { return 2 * min(t.limit, t.fold.worth(0, 1, false)) }

func (t *sprt) most(int) int { return 2 * t.limit }

func (t *sprt) add(_ Pair, r *result) *arena.Stop {
	switch {
	case r.passed == passedUsed:
		return t.fold.openings.stop(t.fold.both())
	case r.passed != played:
		return t.fold.last()
	case !r.fresh:
		return nil
	}
	t.pairs[arena.PairPoints(r.winners[0], r.winners[1])]++
	for _, one := range t.tests {
		one.add(t.pairs)
	}
	t.course.add(int(t.pairs.Pairs()), t.tests[0].now.LLR)
	own := t.tests[0]
	if own.decided == nil {
		return nil
	}
	bound := own.now.Upper
	if own.now.Decision == rating.H0 {
		bound = own.now.Lower
	}
	return ending(arena.StopDecided, "%s is accepted after %d pairs: LLR %.2f reached %.2f",
		own.now.Decision, t.pairs.Pairs(), own.now.LLR, bound)
}

func (t *test) add(pairs rating.Penta) {
	t.now = t.rating.Pairs(pairs)
	if t.decided == nil && t.now.Decision != rating.Continue {
		state := t.now
		t.decided, t.at = &state, pairs
	}
}

func (t *sprt) end() *arena.Stop {
	now := t.tests[0].now
	return ending(arena.StopUnsure, "the test is undecided after the limit of %d pairs (LLR %.2f between %.2f and %.2f)",
		t.fold.sum.pairs, now.LLR, now.Lower, now.Upper)
}

// states returns the states of all tests.
func (t *sprt) states() []arena.TestState {
	var out []arena.TestState
	for _, one := range t.tests {
		out = append(out, t.state(one))
	}
	return out
}

func (t *sprt) state(one *test) arena.TestState {
	s := arena.TestState{
		SPRT: one.SPRT, Lower: one.now.Lower, Upper: one.now.Upper, Decision: rating.Continue, Pairs: int(t.pairs.Pairs()),
		LLR: one.now.LLR, GamesLeft: one.now.GamesLeft, Earlier: one.earlier,
	}
	if one.decided != nil {
		llr, none := one.decided.LLR, 0.0
		s.Decision, s.Pairs, s.LLRAtDecision, s.GamesLeft = one.decided.Decision, int(one.at.Pairs()), &llr, &none
		s.MedianElo, s.MedianEloLo, s.MedianEloHi = one.rating.Median(one.at)
	} else if t.fold.Stop() != nil {
		s.GamesLeft = nil // the run is over without a decision
	}
	return s
}

// Test returns the state of the run's own test, nil for other formats.
func (f *Fold) Test() *arena.TestState {
	t, ok := f.format.(*sprt)
	if !ok {
		return nil
	}
	s := t.state(t.tests[0])
	return &s
}

// retested returns the warning for a run whose bounds were changed between its
// games.
func retested(tests []arena.TestState) arena.Warning {
	return arena.Warningf(arena.WarnRetested, 0,
		"the games were tested with %d sets of bounds: the error rates alpha and beta hold for none of them", len(tests))
}
