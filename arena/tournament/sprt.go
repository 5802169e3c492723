package tournament

import (
	"fmt"
	"math"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

var sprtKind = kind{
	name: "sprt", doc: "two engines, until a sequential test decides",
	takes:  []string{"tournament.rounds", "sprt"},
	rounds: func(int) int { return 100_000 }, // a bound for tests that never decide
	check:  checkSPRT,
	begin: func(d *Director) format {
		return &sprt{rounds: newRounds(d, roundRobin(d.plan)), now: d.plan.SPRT.Pairs(rating.Penta{})}
	},
}

func checkSPRT(plan *arena.Plan, bad report) {
	if n := len(plan.Engines); n != 2 {
		bad("engines", "sprt with %d engines, expected two: the new one, then the old one (gauntlet measures one against many)", n)
	}
	if err := plan.SPRT.Check(true); err != nil {
		bad("sprt", "%v", err)
	}
}

// sprt plays rounds of two engines until the test decides.
type sprt struct {
	*rounds
	pairs   rating.Penta
	now     rating.State
	decided bool
	course  samples[arena.LLRSample]
	alike   int64 // pairs whose two games are the same
	speed   speeds
}

func (t *sprt) add(s *series) *arena.Stop {
	if stop := t.rounds.add(s); stop != nil || !s.fresh {
		return stop
	}
	t.pairs = t.pairs.Add(arena.PairOf(s.winners()))
	t.now = t.director.plan.SPRT.Pairs(t.rated())
	t.course.add(int(t.rated().Pairs()), t.sample)
	t.alike += int64(btoi(s.alike()))
	t.speed.add(s.speed())
	n := t.pairs.Pairs()
	switch {
	case t.director.doubt != nil: // an unrated run decides nothing
		return nil
	case t.now.Decision == rating.Continue && n >= samePairs && t.alike == n:
		return ending(arena.StopSame, "no functional change: the two games of each of %d pairs are the same, move by move", n)
	case t.now.Decision == rating.Continue:
		return nil
	}
	t.decided = true
	bound := t.now.Upper
	if t.now.Decision == rating.H0 {
		bound = t.now.Lower
	}
	return ending(arena.StopDecided, "%s is accepted after %d pairs: LLR %.2f reached %.2f", t.now.Decision, n, t.now.LLR, bound)
}

// sample returns the state of the test, and whether a pair counts.
func (t *sprt) sample() (arena.LLRSample, bool) {
	n := int(t.rated().Pairs())
	return arena.LLRSample{Pairs: n, LLR: t.now.LLR}, n > 0
}

// rated returns the pairs, none while one of the engines is dead.
func (t *sprt) rated() rating.Penta {
	if t.director.figures.living(0, 1) {
		return t.pairs
	}
	return rating.Penta{}
}

func (t *sprt) end() *arena.Stop {
	return ending(arena.StopUnsure, "the test is undecided after the limit of %d pairs (LLR %.2f between %.2f and %.2f)",
		t.director.figures.pairs, t.now.LLR, t.now.Lower, t.now.Upper)
}

func (t *sprt) state() arena.TestState {
	s := arena.TestState{
		SPRT: t.director.plan.SPRT, Lower: t.now.Lower, Upper: t.now.Upper, Decision: rating.Continue, Pairs: int(t.rated().Pairs()),
		LLR: t.now.LLR, GamesLeft: t.now.GamesLeft,
	}
	s.Speed, s.Slower = t.speed.ratio()
	if t.decided {
		s.Decision, s.LLRAtDecision = t.now.Decision, &s.LLR
		s.MedianElo, s.MedianEloLo, s.MedianEloHi = s.SPRT.Median(t.pairs)
	} else if t.director.stop != nil {
		s.GamesLeft = nil // the run is over without a decision
	}
	return s
}

// Test returns the state of the run's test, nil for other formats.
func (d *Director) Test() *arena.TestState {
	t, ok := d.format.(*sprt)
	if !ok {
		return nil
	}
	return new(t.state())
}

// afterLook warns of a run whose end was changed after games could be seen. Neither the error rates of
// its test nor its error bars hold.
func afterLook(sum *arena.Summary) {
	plan := &sum.Run.Plan
	for i, now := range append(slices.Clone(plan.Earlier), plan.Decides(0))[1:] {
		was := &plan.Earlier[i]
		kind, so := arena.WarnExtended, "who stops when a bound pleases is wrong more often, bounds are not 95 %"
		if now.Tests() {
			kind, so = arena.WarnRetested, "the error rates alpha and beta do not hold"
		}
		sum.Warn(arena.Warningf(kind, was.Games, "what ends the run was changed from %s to %s after %s were seen: %s",
			endOf(was), endOf(&now), games(was.Games), so))
	}
}

// endOf describes what ends a run.
func endOf(e *arena.Earlier) string {
	if e.Tests() {
		return fmt.Sprintf("a test of elo0 %g, elo1 %g", e.Elo0, e.Elo1)
	}
	text := fmt.Sprintf("%s of %s", arena.Plural(e.Rounds, "round"), e.Format)
	if e.Until.EloError != 0 {
		text += fmt.Sprintf(" until %g Elo", e.Until.EloError)
	}
	if e.Until.ScoreError != 0 {
		text += fmt.Sprintf(" until %g %% of score", 100*e.Until.ScoreError)
	}
	return text
}

// samePairs is the number of pairs without a difference that shows that two engines play the same
// moves.
const samePairs = 50

// alike reports whether the two games of a pair have the same moves. Then the engines played alike,
// because they changed seats.
func (s *series) alike() bool {
	a, b := s.games[0], s.games[1]
	return a != nil && b != nil && a.Sameness != 0 && a.Sameness == b.Sameness && a.Source != arena.Faulted
}

// speed is the logarithm of A's nodes a second in a pair, as a ratio to B's; NaN if an
// engine reports none.
func (s *series) speed() float64 {
	var a, b arena.Effort
	for _, g := range s.games {
		if g != nil {
			a.Add(g.Side(0))
			b.Add(g.Side(1))
		}
	}
	log := math.Log(float64(a.Nodes) / float64(a.Wall) * float64(b.Wall) / float64(b.Nodes))
	if math.IsInf(log, 0) {
		return math.NaN()
	}
	return log
}

// slower is the ratio of speeds that is a slowdown. surely is the number of half widths of a 95 %
// interval that distinguish it from the noise of a machine: with many pairs three standard errors.
const (
	slower = 0.9
	surely = 1.5
)

// speeds computes the mean of ratios of speeds. Both engines play in each pair, so other work of the
// machine slows both. A pair in which the machine stalled is one of many.
type speeds struct{ n, sum, squares float64 }

func (s *speeds) add(log float64) {
	if !math.IsNaN(log) {
		s.n++
		s.sum += log
		s.squares += log * log
	}
}

// ratio returns the geometric mean, nil if nothing is known, and whether it is a slowdown.
func (s *speeds) ratio() (*float64, bool) {
	if s.n == 0 {
		return nil, false
	}
	mean := s.sum / s.n
	ratio := math.Exp(mean)
	if s.n < 2 {
		return &ratio, false
	}
	variance := max(s.squares-s.n*mean*mean, 0) / (s.n - 1)
	return &ratio, ratio < slower && mean+surely*rating.T95(s.n-1)*math.Sqrt(variance/s.n) < 0
}
