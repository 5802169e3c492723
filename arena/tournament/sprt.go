package tournament

import (
	"slices"

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
	if s.Model == rating.Bayesian {
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

	course samples[arena.LLRSample]
	alike  int64 // pairs whose two games are the same
	speed  speeds
}

// test is one sequential test.
type test struct {
	arena.SPRT
	earlier bool
	now     rating.State
	decided *rating.State // at the decision, nil before
	at      rating.Penta  // the pairs at the decision
}

func newSPRT(f *Fold) *sprt {
	t := &sprt{fold: f, limit: f.plan.Format.Rounds}
	all := []arena.SPRT{f.plan.SPRT}
	for _, e := range f.earlier {
		if e.Tests() && !slices.Contains(all, e.SPRT) {
			all = append(all, e.SPRT)
		}
	}
	for i, bounds := range all {
		t.tests = append(t.tests, &test{SPRT: bounds, earlier: i > 0, now: rating.Test(bounds).Pairs(t.pairs)})
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
	t.pairs = t.pairs.Add(arena.PairOf(r.winners))
	pairs := t.rated()
	for _, one := range t.tests {
		one.add(pairs, t.fold.doubt == nil)
	}
	t.course.add(int(pairs.Pairs()), t.sample)
	t.alike += int64(btoi(r.alike))
	t.speed.add(r.speed)
	own := t.tests[0]
	if own.decided == nil {
		if n := t.pairs.Pairs(); n >= samePairs && t.alike == n && t.fold.doubt == nil {
			return ending(arena.StopSame, "no functional change: the two games of each of %d pairs are the same, move by move", n)
		}
		return nil
	}
	bound := own.now.Upper
	if own.now.Decision == rating.H0 {
		bound = own.now.Lower
	}
	return ending(arena.StopDecided, "%s is accepted after %d pairs: LLR %.2f reached %.2f",
		own.now.Decision, t.pairs.Pairs(), own.now.LLR, bound)
}

// sample is the state of the run's own test.
func (t *sprt) sample() arena.LLRSample {
	return arena.LLRSample{Pairs: int(t.rated().Pairs()), LLR: t.tests[0].now.LLR}
}

// rated are the pairs, none while one of the engines is dead.
func (t *sprt) rated() rating.Penta {
	if t.fold.figures.living(0, 1) {
		return t.pairs
	}
	return rating.Penta{}
}

// add decides nothing while the run is unrated.
func (t *test) add(pairs rating.Penta, rated bool) {
	t.now = rating.Test(t.SPRT).Pairs(pairs)
	if rated && t.decided == nil && t.now.Decision != rating.Continue {
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
		SPRT: one.SPRT, Lower: one.now.Lower, Upper: one.now.Upper, Decision: rating.Continue, Pairs: int(t.rated().Pairs()),
		LLR: one.now.LLR, GamesLeft: one.now.GamesLeft, Earlier: one.earlier,
	}
	s.Speed, s.Slower = t.speed.ratio()
	if one.decided != nil {
		llr, none := one.decided.LLR, 0.0
		s.Decision, s.Pairs, s.LLRAtDecision, s.GamesLeft = one.decided.Decision, int(one.at.Pairs()), &llr, &none
		s.MedianElo, s.MedianEloLo, s.MedianEloHi = rating.Test(one.SPRT).Median(one.at)
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

// afterLook returns the warnings about a run that was changed when games of it were
// there to be seen: neither the error rates of its test nor its error bars hold.
func afterLook(plan *arena.Plan, earlier []arena.Earlier) []arena.Warning {
	settings := plan.Settings()
	now := settings.Decides(0)
	var out []arena.Warning
	for i := range earlier {
		e := &earlier[i]
		next := &now
		if i+1 < len(earlier) {
			next = &earlier[i+1]
		}
		seen := "some games"
		if e.Games > 0 {
			seen = games(e.Games)
		}
		switch {
		case next.Tests() && e.Tests():
			out = append(out, arena.Warningf(arena.WarnRetested, e.Games,
				"the bounds of the test were changed after %s were seen (from elo0 %g, elo1 %g): the error rates alpha and beta hold for none of them", seen, e.Elo0, e.Elo1))
		case next.Tests():
			out = append(out, arena.Warningf(arena.WarnRetested, e.Games,
				"the bounds of the test were set after %s of a %s were seen: the error rates alpha and beta do not hold", seen, e.Format))
		case e.Tests():
			out = append(out, arena.Warningf(arena.WarnExtended, e.Games,
				"a test was made a %s after %s were seen: who stops when a bound pleases is wrong more often, bounds are not 95 %%", next.Format, seen))
		case e.Rounds != next.Rounds:
			how := "raised"
			if e.Rounds > next.Rounds {
				how = "lowered"
			}
			out = append(out, arena.Warningf(arena.WarnExtended, e.Games,
				"rounds were %s from %d to %d after %s were seen: who stops when a bound pleases is wrong more often, bounds are not 95 %%", how, e.Rounds, next.Rounds, seen))
		default:
			out = append(out, arena.Warningf(arena.WarnExtended, e.Games,
				"until or the format was changed after %s were seen: who stops when a bound pleases is wrong more often, bounds are not 95 %%", seen))
		}
	}
	return out
}
