package tournament

import (
	"thera/arena"
	"thera/engine/game"
)

// Lines is the number of positions in the plan's file of openings, also where
// the positions themselves are not kept.
func Lines(plan *arena.Plan) int {
	if n := len(plan.Openings.Positions); n > 0 {
		return n
	}
	return plan.Openings.Count
}

// probes are seeds that show whether a game's starts are random.
var probes = [...]uint64{1, 2, 0x9e3779b97f4a7c15, 0xd1b54a32d192ed03}

// Distinct is how many openings a pairing has before they repeat, where that
// is known in advance: a file of positions, or starts that do not depend on the
// seed, without random plies. Equal openings in a file count as
// different.
func Distinct(plan *arena.Plan) (n int, finite bool) {
	n = Lines(plan)
	if plan.Openings.RandomPlies > 0 && (n == 0 || plan.Openings.Balanced > 0) {
		return 0, false
	}
	if n > 0 {
		return n, true
	}
	n = max(plan.Game.Starts(), 1)
	for i := range n {
		if !Fixed(plan.Game, i) {
			return 0, false
		}
	}
	return n, true
}

// Fixed reports whether a start of the game does not depend on the seed. One that
// cannot be made is not fixed; Make reports the error.
func Fixed(g game.Game, start int) bool {
	text := ""
	for _, seed := range probes {
		pos, err := g.Start(start, seed)
		if err != nil || text != "" && pos.String() != text {
			return false
		}
		text = pos.String()
	}
	return true
}
