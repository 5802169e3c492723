package tournament

import (
	"fmt"

	"thera/arena"
)

// until stops a run whose error bars are narrow enough. It looks at the end of
// each full round only, and not before minRounds: the variance of a handful of
// pairs is itself too uncertain to stop on.
type until struct {
	plan  *arena.Plan
	every int // pairs in a round
	seen  int
	table *Table
}

const minRounds = 8

func (u *until) saw(p Pair, r Result) string {
	u.table.add(p, r)
	u.seen++
	if u.seen%u.every != 0 || u.seen < minRounds*u.every || !u.narrow() {
		return ""
	}
	want := fmt.Sprintf("%g Elo", u.plan.Until.EloError)
	if u.plan.Until.EloError == 0 {
		want = fmt.Sprintf("%g %% of score", 100*u.plan.Until.ScoreError)
	}
	return fmt.Sprintf("every error bar is within %s after %d rounds", want, u.seen/u.every)
}

func (u *until) narrow() bool {
	if len(u.plan.Engines) == 2 {
		s := u.table.Cell(0, 1).Summary()
		return within(s.EloError(), u.plan.Until.EloError) && within(s.ScoreError, u.plan.Until.ScoreError)
	}
	fit, err := u.table.Fit()
	if err != nil {
		return false
	}
	for _, player := range fit.Players {
		if !within(player.ScoreError, u.plan.Until.ScoreError) {
			return false
		}
		if anchored := u.plan.Engine(player.Name).Anchor != nil; anchored || u.plan.Until.EloError == 0 {
			continue // an anchor's Elo has no error of its own
		}
		if player.EloLo == nil || player.EloHi == nil {
			return false
		}
		half := (*player.EloHi - *player.EloLo) / 2
		if !within(&half, u.plan.Until.EloError) {
			return false
		}
	}
	return true
}

// within holds where limit is off, never where the error is unknown.
func within(err *float64, limit float64) bool {
	return limit == 0 || err != nil && *err <= limit
}
