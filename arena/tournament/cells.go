package tournament

import (
	"cmp"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

// cells measures every start (such as a match-up of gods) on its own, for every
// pairing of engines or for one engine against itself.
var cellsKind = kind{
	name: "cells", alias: "gods", doc: "every start of the openings on its own, also with one engine",
	settings: map[string]string{
		"tournament.rounds": "pairs of every cell, with until the most (default 1)", "until.score_error": "",
	},
	alone: true, singles: true,
	begin: func(f *Fold) format { return newCells(f) },
}

// firstWave is the number of games of a cell before its error bar is looked at.
const firstWave = 8

func newCells(f *Fold) *rounds {
	pairings := roundRobin(f.plan)
	if len(f.plan.Engines) == 1 {
		pairings = [][2]int{{0, 0}}
	}
	r := newRounds(f, pairings)
	if r.target = f.plan.Until.ScoreError; r.target > 0 {
		r.first = min(r.limit, firstWave/r.size())
		for at := range r.cells {
			r.cells[at].asked = r.first
		}
	}
	return r
}

// cell is one start in one pairing. Its counts are from the first seat's view, since
// cells measure the start and not the engines. The unit of its error is the pair, or
// the game if there are no pairs.
type cell struct {
	wdl    rating.WDL   // single games
	pairs  rating.Penta // pairs of games
	asked  int          // pairs played or queued, with a target
	closed bool         // it gets no more games
	used   bool         // closed because it has no more openings
}

func (c *cell) add(r *result) {
	winners := [2]int{r.winners[0], arena.Turned(r.winners[1])}
	switch {
	case !r.fresh:
	case r.single:
		c.wdl = c.wdl.Add(arena.One(winners[r.leg]))
	default:
		c.pairs = c.pairs.Add(arena.PairOf(winners))
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

// waves give the cells with the widest error bars further pairs, after the first ones
// of all cells.
type waves struct {
	target float64 // of the score error; 0: there are no waves
	queue  []visit // their pairs, in job order
	more   int     // of them, those that can be new
}

// visit is one pair of a cell.
type visit struct{ cell, round int }

// narrow reports whether a cell has reached the target.
func (w *waves) narrow(c *cell) bool { return w.target > 0 && c.halfWidth() <= w.target }

// wave adds pairs to the cells whose error bars are too wide, the widest first, when all
// pairs before place are known.
func (r *rounds) wave(place int) Readiness {
	if r.target > 0 && r.seen < place {
		return Wait
	}
	type wide struct {
		at   int
		half float64
	}
	var open []wide
	for at := range r.cells {
		if one := &r.cells[at]; r.target > 0 && !r.narrow(one) && one.asked < r.limit && !one.closed {
			open = append(open, wide{at, one.halfWidth()})
		}
	}
	if len(open) == 0 {
		return Over
	}
	slices.SortStableFunc(open, func(a, b wide) int {
		return cmp.Or(cmp.Compare(b.half, a.half), cmp.Compare(a.at, b.at))
	})
	for _, w := range open {
		// An error bar shrinks with the square root of the number of units. Add
		// half of the units that the target still needs.
		one, pairing := &r.cells[w.at], r.pairings[w.at/r.starts]
		units := float64(one.wdl.Games() + one.pairs.Pairs())
		need := units*(w.half/r.target)*(w.half/r.target) - units
		for range min(max(1, int(need/2)), r.limit-one.asked, 64) {
			r.more += btoi(one.asked < r.fold.worth(pairing[0], pairing[1], r.single))
			r.queue = append(r.queue, visit{w.at, one.asked})
			one.asked++
		}
	}
	return Ready
}
