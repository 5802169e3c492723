package tournament

import (
	"fmt"

	"thera/arena"
	"thera/arena/rating"
)

// until stops a run when its error bars are narrow enough. It checks at the end
// of each round, but not before minRounds, because the variance of a few pairs
// is itself too uncertain.
type until struct {
	every int // pairs in a round
	seen  int
}

const minRounds = 8

func (u *until) add(f *Fold) *arena.Stop {
	u.seen++
	if u.seen%u.every != 0 || u.seen < minRounds*u.every || f.doubt != nil {
		return nil
	}
	if !narrow(f.plan, f.left, meetings(f.rows(f.figures.conclude(f)))) {
		return nil
	}
	want := fmt.Sprintf("%g Elo", f.plan.Until.EloError)
	if f.plan.Until.EloError == 0 {
		want = fmt.Sprintf("%g %% of score", 100*f.plan.Until.ScoreError)
	}
	return ending(arena.StopNarrow, "every error bar is within %s after %d rounds", want, u.seen/u.every)
}

// narrow reports whether all error bars are narrow enough. It ignores engines
// that left, since their error bars no longer change.
func narrow(plan *arena.Plan, left []bool, met []rating.Meeting) bool {
	if len(plan.Engines) == 2 {
		var s rating.Estimate
		if len(met) > 0 {
			s = met[0].Estimate()
		}
		return within(s.EloError(), plan.Until.EloError) && within(s.ScoreError, plan.Until.ScoreError)
	}
	fit, err := rating.Fit(met, anchors(plan.Engines))
	if err != nil {
		return false
	}
	for i := range plan.Engines {
		spec := &plan.Engines[i]
		if left[i] {
			continue
		}
		at, ok := fit.Find(spec.Name)
		if !ok {
			return false
		}
		player := &fit.Players[at]
		if !within(player.ScoreError, plan.Until.ScoreError) {
			return false
		}
		if spec.Anchor != nil || plan.Until.EloError == 0 {
			continue // the Elo of an anchor is exact
		}
		if player.EloLo == nil || player.EloHi == nil {
			return false
		}
		half := (*player.EloHi - *player.EloLo) / 2
		if !within(&half, plan.Until.EloError) {
			return false
		}
	}
	return true
}

// within reports whether err is at most limit. It is true if there is no limit,
// and otherwise false if the error is unknown.
func within(err *float64, limit float64) bool {
	return limit == 0 || err != nil && *err <= limit
}
