package tournament

import (
	"fmt"
	"math"

	"thera/arena"
	"thera/arena/opening"
)

// openings knows which pairs can only repeat earlier games. Under node and depth
// limits engines play the same game from the same opening again, which adds no
// information.
type openings struct {
	plan  *arena.Plan
	exact []bool // engines limited by nodes or depth
	most  int    // distinct openings of a pairing (of a cell); math.MaxInt if unlimited
	lines map[lineKey]*line
	cells int // starts of the format cells, each with a line of its own; else 0
}

// lineKey is a pairing, or a pairing in one cell.
type lineKey struct{ a, b, cell int32 }

// line is the sequence of pairs of one pairing.
type line struct {
	given   int // pairs known so far
	running int // repeats in a row at the end of the prefix
	used    bool
}

// usedAfter is the number of repeats in a row after which the openings of a
// pairing are taken as used up, if their number is not known in advance.
const usedAfter = 32

func newOpenings(plan *arena.Plan) openings {
	o := openings{plan: plan, most: math.MaxInt, lines: map[lineKey]*line{}, exact: make([]bool, len(plan.Engines))}
	any := false
	for i := range plan.Engines {
		o.exact[i] = plan.LimitOf(&plan.Engines[i]).Exact() && !plan.Openings.Repeat
		any = any || o.exact[i]
	}
	if plan.Format.NumberIsStart() {
		o.cells = starts(plan)
	}
	if !any {
		return o
	}
	if n, finite := opening.Distinct(plan); finite {
		o.most = n
		if o.cells > 0 {
			o.most = 1
		}
	}
	return o
}

// repeats reports whether two engines always play the same game from the same
// opening.
func (o *openings) repeats(a, b int) bool { return o.exact[a] && o.exact[b] }

func (o *openings) line(p *Pair) *line {
	k := lineKey{a: int32(p.A), b: int32(p.B)}
	if o.cells > 0 {
		k.cell = int32(p.Number % o.cells)
	}
	l := o.lines[k]
	if l == nil {
		l = &line{}
		o.lines[k] = l
	}
	return l
}

// take returns the number of the next pair within its line, from 0.
func (l *line) take() int {
	l.given++
	return l.given - 1
}

// add records whether the line's next pair of the prefix was new.
func (l *line) add(fresh bool) {
	if l.running++; fresh {
		l.running = 0
	}
	l.used = l.used || l.running >= usedAfter
}

// usedUp reports whether the pair can only repeat earlier games of its line.
func (o *openings) usedUp(p *Pair) bool {
	return p.nth >= o.worth(p.A, p.B, p.Single > 0) || o.line(p).used
}

// worth returns how many pairs of a line can be new, math.MaxInt if unlimited.
// For single games, the same opening from the other seat is new.
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

// stop returns the stop of a run in which who, such as a pairing or some cells,
// has nothing new to play.
func (o *openings) stop(who string) *arena.Stop {
	why := fmt.Sprintf("the last %d pairs were repeats", usedAfter)
	if n := o.most; n < math.MaxInt {
		why = fmt.Sprintf("there are %d", n)
		if n == 1 {
			why = "there is one"
		}
		if o.cells > 0 {
			why += " for each start"
		}
	}
	return ending(arena.StopOpenings, "the openings of %s are used up (%s): under a limit of nodes or depth further games only repeat; for more give %s",
		who, why, o.hint())
}

// both names the pairing of a run of two engines.
func (o *openings) both() string { return o.plan.Engines[0].Name + " - " + o.plan.Engines[1].Name }

// starts returns the number of distinct starts of a run.
func starts(plan *arena.Plan) int {
	if n := opening.Lines(plan); n > 0 {
		return n
	}
	return max(plan.Game.Starts(), 1)
}
