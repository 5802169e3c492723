package tournament

import (
	"cmp"
	"fmt"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

var cellsKind = kind{
	name: "cells", alias: "gods", doc: "every start of the openings on its own, also with one engine",
	settings: map[string]string{
		"tournament.rounds": "pairs of every cell, with until the most (default 1)", "until.score_error": "",
	},
	alone: true, singles: true,
	begin: func(f *Fold) format { return newCells(f) },
}

// cells measures every start (such as a match-up of gods) on its own, for every
// pairing of engines or for one engine against itself. With a target for the
// score error, the cells with the widest error bars get further pairs, in waves.
// The unit of a cell's error is the pair, or the game if there are no pairs.
type cells struct {
	fold     *Fold
	starts   int
	pairings [][2]int
	single   bool // single games instead of pairs
	limit    int  // the most pairs of a cell
	first    int  // pairs that each cell has in the first wave
	target   float64
	cells    []cell
	queue    []visit // of the current wave, in job order
	begin    int     // place of queue[0]
	seen     int
	games    int // planned so far
}

// cell is one start in one pairing, from the first seat's view.
type cell struct {
	wdl    rating.WDL   // single games
	pairs  rating.Penta // pairs of games
	asked  int          // pairs played or queued
	closed bool         // it gets no more games
	used   bool         // closed because it has no more openings
}

// visit is one pair of a cell.
type visit struct{ cell, round int }

// firstWave is the number of games of a cell before its error bar is looked at.
const firstWave = 8

func newCells(f *Fold) *cells {
	plan := f.plan
	c := &cells{fold: f, starts: f.openings.cells, limit: plan.Format.Rounds, first: plan.Format.Rounds, target: plan.Until.ScoreError}
	c.pairings = roundRobin(plan)
	if len(plan.Engines) == 1 {
		c.pairings = [][2]int{{0, 0}}
	}
	c.single = len(plan.Engines) == 1 || !plan.Format.Pairs
	if c.target > 0 {
		c.first = min(c.limit, firstWave/c.size())
	}
	n := c.starts * len(c.pairings)
	c.cells = make([]cell, n)
	for range c.first {
		for at := range n {
			c.ask(at)
		}
	}
	return c
}

// size is the number of games in a pair.
func (c *cells) size() int {
	if c.single {
		return 1
	}
	return 2
}

func (c *cells) ask(at int) {
	one, pairing := &c.cells[at], c.pairings[at/c.starts]
	if one.asked < c.fold.worth(pairing[0], pairing[1], c.single) {
		c.games += c.size()
	}
	c.queue = append(c.queue, visit{at, one.asked})
	one.asked++
}

func (c *cells) total() int { return c.games }

func (c *cells) most(engine int) int {
	n := 0
	for _, p := range c.pairings {
		n += btoi(p[0] == engine || p[1] == engine)
	}
	return n * c.starts * c.limit * c.size()
}

func (c *cells) has(k key, leg int) bool {
	round := int(k.number) / c.starts
	return round < c.limit && slices.Contains(c.pairings, [2]int{int(k.a), int(k.b)}) && (!c.single || leg == c.leg(k.a == k.b, round))
}

// leg returns the leg of a single game: seats change from round to round.
func (c *cells) leg(self bool, round int) int {
	if self {
		return 0
	}
	return round % 2
}

func (c *cells) next(place int) (Pair, Readiness) {
	if place == c.begin+len(c.queue) {
		if c.target == 0 {
			return Pair{}, Over
		}
		if c.seen < place {
			return Pair{}, Wait
		}
		c.begin, c.queue = place, c.queue[:0:0]
		if c.wave(); len(c.queue) == 0 {
			return Pair{}, Over
		}
	}
	return c.pair(place), Ready
}

// pair returns the pair at place. Its start is its number modulo starts.
func (c *cells) pair(place int) Pair {
	cell, round := c.queue[place-c.begin].cell, c.queue[place-c.begin].round
	pairing := c.pairings[cell/c.starts]
	p := Pair{A: pairing[0], B: pairing[1], Round: round + 1, Number: round*c.starts + cell%c.starts}
	if c.single {
		p.Single = c.leg(p.A == p.B, round) + 1
	}
	return p
}

// add counts from the first seat's view, since cells measure the start and not
// the engines.
func (c *cells) add(p Pair, r *result) *arena.Stop {
	c.seen++
	one := &c.cells[c.cellOf(p)]
	winners := [2]int{r.winners[0], arena.Turned(r.winners[1])}
	switch {
	case r.passed != played:
		one.closed = true
		one.used = one.used || r.passed == passedUsed
	case !r.fresh:
	case r.single:
		one.wdl = one.wdl.Add(arena.One(winners[r.leg]))
	default:
		one.pairs = one.pairs.Add(arena.PairOf(winners))
	}
	return nil
}

func (c *cells) cellOf(p Pair) int {
	pairing := slices.Index(c.pairings, [2]int{p.A, p.B})
	return pairing*c.starts + p.Number%c.starts
}

// wave adds pairs to the cells whose error bars are too wide, the widest first.
func (c *cells) wave() {
	type wide struct {
		at   int
		half float64
	}
	var open []wide
	for at := range c.cells {
		one := &c.cells[at]
		if half := one.halfWidth(); half > c.target && one.asked < c.limit && !one.closed {
			open = append(open, wide{at, half})
		}
	}
	slices.SortStableFunc(open, func(a, b wide) int {
		return cmp.Or(cmp.Compare(b.half, a.half), cmp.Compare(a.at, b.at))
	})
	for _, w := range open {
		// An error bar shrinks with the square root of the number of units. Add
		// half of the units that the target still needs.
		one := &c.cells[w.at]
		units := float64(one.wdl.Games() + one.pairs.Pairs())
		need := units*(w.half/c.target)*(w.half/c.target) - units
		for range min(max(1, int(need/2)), c.limit-one.asked, 64) {
			c.ask(w.at)
		}
	}
}

// halfWidth returns half the width of Wilson's 95 % interval of the cell's
// score, 0.5 without games.
func (c *cell) halfWidth() float64 {
	s := rating.OfGames(c.wdl)
	if c.pairs.Pairs() > 0 {
		s = rating.OfPairs(c.pairs)
	}
	if s = s.Cell(); s.ScoreError == nil {
		return 0.5
	}
	return *s.ScoreError
}

func (c *cells) end() *arena.Stop {
	wide, used := 0, 0
	for at := range c.cells {
		one := &c.cells[at]
		if c.target > 0 && one.halfWidth() <= c.target {
			continue
		}
		wide++
		used += btoi(one.used)
	}
	switch {
	case used > 0:
		return c.fold.openings.stop(fmt.Sprintf("%d of %d cells", used, len(c.cells)))
	case c.target == 0:
		return ending(arena.StopPlayed, "%s", allPlayed(len(c.cells), "cell"))
	case wide == 0:
		return ending(arena.StopNarrow, "every cell's score is within %g %%", 100*c.target)
	}
	return ending(arena.StopPlayed, "the limit of %d pairs a cell is reached; not every score is within %g %%", c.limit, 100*c.target)
}
