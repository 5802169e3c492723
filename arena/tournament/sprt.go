package tournament

import (
	"fmt"

	"thera/arena"
	"thera/arena/rating"
)

// sprt plays two engines until the test decides.
type sprt struct {
	test rating.Test
	most int // pairs
	seen int // pairs of the prefix
	cell Cell
	last rating.State
}

func newSPRT(plan *arena.Plan) *sprt {
	t := &sprt{
		most: plan.Format.Rounds,
		test: rating.Test{
			Elo0: plan.SPRT.Elo0, Elo1: plan.SPRT.Elo1, Alpha: plan.SPRT.Alpha, Beta: plan.SPRT.Beta,
			Model: rating.Model(plan.SPRT.Model),
		},
		cell: Cell{games: map[uint64]bool{}, pairs: map[[2]uint64]bool{}},
	}
	t.last = t.test.Pairs(t.cell.Pairs)
	return t
}

func (t *sprt) next(place int) (Pair, State) {
	if place >= t.most {
		return Pair{}, Over
	}
	return Pair{A: 0, B: 1, Round: place + 1, Number: place}, Ready
}

func (t *sprt) total() int { return 2 * t.most }

func (t *sprt) saw(p Pair, r Result) string {
	if r.Skipped {
		return "an engine left the run: the test is undecided"
	}
	t.seen++
	t.cell.add(p, r)
	t.last = t.test.Pairs(t.cell.Pairs)
	switch t.last.Decision {
	case rating.H1:
		return fmt.Sprintf("H1 is accepted after %d pairs: LLR %.2f reached %.2f", t.seen, t.last.LLR, t.last.Upper)
	case rating.H0:
		return fmt.Sprintf("H0 is accepted after %d pairs: LLR %.2f reached %.2f", t.seen, t.last.LLR, t.last.Lower)
	}
	return ""
}

func (t *sprt) end() string {
	return fmt.Sprintf("the test is undecided after %d pairs, the most that were allowed (LLR %.2f between %.2f and %.2f)",
		t.seen, t.last.LLR, t.last.Lower, t.last.Upper)
}

func (t *sprt) state() *arena.SPRTState {
	s := &arena.SPRTState{
		LLR: t.last.LLR, Lower: t.last.Lower, Upper: t.last.Upper, Decision: t.last.Decision, Pairs: t.seen, GamesLeft: -1,
	}
	if t.last.GamesLeft != nil {
		s.GamesLeft = *t.last.GamesLeft
	}
	return s
}
