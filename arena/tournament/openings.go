package tournament

import (
	"fmt"
	"math"
	"slices"

	"thera/arena"
	"thera/engine/game"
)

// openings knows which pairs can only repeat earlier games. Under node and depth
// limits engines play the same game from the same opening again, which adds no
// information.
type openings struct {
	plan  *arena.Plan
	exact []bool // engines limited by nodes or depth
	most  int    // distinct openings of a pairing (of a cell); math.MaxInt if that is not known
	cells int    // starts of the format cells; else 0
}

func newOpenings(plan *arena.Plan) openings {
	o := openings{plan: plan, most: math.MaxInt, exact: make([]bool, len(plan.Engines))}
	for i := range plan.Engines {
		o.exact[i] = plan.LimitOf(&plan.Engines[i]).Exact() && !plan.Openings.Repeat
	}
	if plan.Format.NumberIsStart() {
		if o.cells = lines(plan); o.cells == 0 {
			o.cells = max(plan.Game.Starts(), 1)
		}
	}
	if !slices.Contains(o.exact, true) {
		return o
	}
	if n, finite := distinct(plan); finite {
		if o.most = n; o.cells > 0 {
			o.most = 1
		}
	}
	return o
}

// repeats reports whether two engines always play the same game from the same
// opening.
func (o *openings) repeats(a, b int) bool { return o.exact[a] && o.exact[b] }

// worth returns how many pairs of a pairing, or of its cell, can be new, math.MaxInt if
// unlimited. For single games, the same opening from the other seat is new.
func (o *openings) worth(a, b int, single bool) int {
	switch {
	case o.most == math.MaxInt || !o.repeats(a, b):
		return math.MaxInt
	case single && a != b && (o.most%2 == 1 || o.plan.Openings.Random):
		return 2 * o.most
	}
	return o.most
}

// hint is the setting that gives more openings.
func (o *openings) hint() string {
	switch {
	case o.plan.Openings.RandomPlies > 0:
		return fmt.Sprintf("openings: {random_plies: %d}", o.plan.Openings.RandomPlies+2)
	case o.plan.Openings.File != "":
		return "a longer openings.file, or openings: {random_plies: 4}"
	}
	return "openings: {random_plies: 4}"
}

// usedUp returns the stop of a run that has nothing new to play.
func (o *openings) usedUp() *arena.Stop {
	return ending(arena.StopOpenings, "the openings are used up (%s): under a limit of nodes or depth further games only repeat; for more give %s",
		arena.Plural(o.most, "opening"), o.hint())
}

// Lines is the number of positions in the plan's file of openings, also where
// the positions themselves are not kept.
func lines(plan *arena.Plan) int {
	if n := len(plan.Openings.Positions); n > 0 {
		return n
	}
	return plan.Openings.Count
}

// probes are seeds that show whether a game's starts are random.
var probes = [...]uint64{1, 2, 0x9e3779b97f4a7c15, 0xd1b54a32d192ed03}

// distinct is how many openings a pairing has before they repeat, where that
// is known in advance: a file of positions, or starts that do not depend on the
// seed, without random plies. Equal openings in a file count as
// different.
func distinct(plan *arena.Plan) (n int, finite bool) {
	n = lines(plan)
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
