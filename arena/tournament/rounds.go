package tournament

import (
	"fmt"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

var roundRobinKind = kind{
	name: "round-robin", doc: "all pairings",
	takes:   []string{"tournament.rounds", "until.elo_error", "until.score_error"},
	singles: true,
	begin:   func(d *Director) format { return newRounds(d, roundRobin(d.plan)) },
}

var gauntletKind = kind{
	name: "gauntlet", doc: "the seeds against all others",
	takes:   []string{"tournament.rounds", "tournament.seeds", "until.elo_error", "until.score_error"},
	singles: true,
	check: func(plan *arena.Plan, bad report) {
		if !slices.ContainsFunc(plan.Engines, func(e arena.EngineSpec) bool { return !e.Seed }) {
			bad("tournament", "every engine is a seed, expected one that is not (round-robin plays all pairings)")
		}
	},
	begin: func(d *Director) format { return newRounds(d, gauntlet(d.plan)) },
}

// cells measures every start (such as a match-up of gods) separately, for every pairing of engines or
// for one engine against itself.
var cellsKind = kind{
	name: "cells", doc: "every start of the openings on its own, also with one engine",
	takes: []string{"tournament.rounds", "until.score_error"},
	alone: true, singles: true,
	begin: func(d *Director) format {
		pairings := roundRobin(d.plan)
		if len(d.plan.Engines) == 1 {
			pairings = [][2]int{{0, 0}}
		}
		r := newRounds(d, pairings)
		r.target = d.plan.Until.ScoreError
		return r
	},
}

// roundRobin returns all pairings.
func roundRobin(plan *arena.Plan) (pairings [][2]int) {
	for a := range plan.Engines {
		for b := a + 1; b < len(plan.Engines); b++ {
			pairings = append(pairings, [2]int{a, b})
		}
	}
	return pairings
}

// gauntlet pairs each seed with each engine that is not a seed. If there is no seed, the first engine
// is the seed.
func gauntlet(plan *arena.Plan) (pairings [][2]int) {
	none := !slices.ContainsFunc(plan.Engines, func(e arena.EngineSpec) bool { return e.Seed })
	seed := func(i int) bool { return plan.Engines[i].Seed || none && i == 0 }
	for a := range plan.Engines {
		for b := range plan.Engines {
			if seed(a) && !seed(b) {
				pairings = append(pairings, [2]int{min(a, b), max(a, b)})
			}
		}
	}
	return pairings
}

// rounds plays a list of pairings round after round; in the format cells it plays each start of the
// openings. It is the format of round robins, gauntlets and cells. A sequential test is rounds that
// the test ends.
type rounds struct {
	director *Director
	pairings [][2]int
	starts   int     // of a pairing; 1 unless the format is cells
	single   bool    // single games instead of pairs
	limit    int     // largest number of pairs of a cell
	target   float64 // for the score error of a cell, 0 for none
	cells    []cell  // by pairing, then start
	passed   int     // number of skipped pairs in a row at the end of the prefix
	seen     int     // number of counted pairs
}

// cell is one start in one pairing. Its counts are from the first seat's view, since
// cells measure the start and not the engines.
type cell struct {
	rating.Counts
	used bool // it has no new openings
}

// least is the number of rounds, or games of a cell, before an error bar can end anything. The
// variance of fewer is too uncertain.
const least = 8

func newRounds(d *Director, pairings [][2]int) *rounds {
	single := len(d.plan.Engines) == 1 || !d.plan.Format.Pairs
	r := &rounds{director: d, pairings: pairings, starts: max(1, d.cells), single: single, limit: d.plan.Format.Rounds}
	r.cells = make([]cell, r.starts*len(pairings))
	return r
}

func (r *rounds) total() int {
	pairs := 0
	for _, p := range r.pairings {
		pairs += r.starts * min(r.limit, r.director.worth(p[0], p[1], r.single))
	}
	return pairs * (2 - btoi(r.single))
}

func (r *rounds) has(k key, leg int) bool {
	round, pairing := k.number/r.starts, [2]int{k.a, k.b}
	return round < r.limit && slices.Contains(r.pairings, pairing) && (!r.single || leg == r.leg(k.a == k.b, round))
}

// leg returns the leg of a single game: seats change from round to round.
func (r *rounds) leg(self bool, round int) int {
	if self {
		return 0
	}
	return round % 2
}

func (r *rounds) next(place int) (Pair, Readiness) {
	at, round := place%len(r.cells), place/len(r.cells)
	if round == r.limit {
		return Pair{}, Over
	}
	pairing := r.pairings[at/r.starts]
	p := Pair{A: pairing[0], B: pairing[1], Round: round + 1, Number: round*r.starts + at%r.starts, nth: round}
	if r.single {
		p.Single = r.leg(p.A == p.B, round) + 1
	}
	return p, Ready
}

// skips passes over cells whose error bar is narrow enough.
func (r *rounds) skips(p *Pair) bool {
	if r.target == 0 || r.director.doubt != nil {
		return false
	}
	at := slices.Index(r.pairings, [2]int{p.A, p.B})
	return r.narrow(&r.cells[at*r.starts+p.Number%r.starts])
}

// narrow reports whether a cell has reached the target.
func (r *rounds) narrow(c *cell) bool {
	if r.target == 0 || c.Games.Games() < least {
		return false
	}
	return within(c.Estimate().Cell().ScoreError, r.target)
}

// within reports whether an error bar is narrow enough. It is if there is no target.
func within(e *float64, target float64) bool { return target == 0 || e != nil && *e <= target }

// add ends the run after a whole round was skipped, because nothing more can be played.
func (r *rounds) add(s *series) *arena.Stop {
	c := &r.cells[r.seen%len(r.cells)]
	r.seen++
	if s.passed != played {
		c.used = c.used || s.passed == passedUsed
		if r.passed++; r.passed == len(r.cells) {
			return r.end()
		}
		return r.until()
	}
	if s.fresh {
		won := s.winners() // of the first seat
		won[1] = arena.Turned(won[1])
		if r.single {
			c.Counts = c.Add(rating.Singly(arena.One(won[s.Single-1])))
		} else {
			c.Counts = c.Add(rating.Counts{Games: arena.One(won[0]).Add(arena.One(won[1])), Pairs: arena.PairOf(won)})
		}
	}
	r.passed = 0
	return r.until()
}

// until stops a run at the end of a round if the error bars of all remaining engines are narrow
// enough.
func (r *rounds) until() *arena.Stop {
	until, every, plan := r.director.plan.Until, len(r.pairings), r.director.plan
	if r.target > 0 || until == (arena.Until{}) || r.director.doubt != nil || r.seen%every != 0 || r.seen < least*every {
		return nil
	}
	rows, _ := r.director.figures.table()
	fixed, elo := anchors(plan.Engines), until.EloError
	fit := rating.Fit(meetings(pairings(rows).list), fixed)
	if len(plan.Engines) == 2 && len(fixed) == 0 {
		elo /= 2 // each has half of their difference
	}
	for i, spec := range plan.Engines {
		at, found := fit.Find(spec.Name)
		switch {
		case r.director.left[i]: // its error bar no longer changes
			continue
		case !found:
			return nil
		}
		player := &fit.Players[at]
		_, anchored := fixed[spec.Name] // its Elo is exact
		if !within(player.ScoreError, until.ScoreError) || !anchored && !within(player.EloError(), elo) {
			return nil
		}
	}
	want := fmt.Sprintf("%g Elo", until.EloError)
	if until.EloError == 0 {
		want = fmt.Sprintf("%g %% of score", 100*until.ScoreError)
	}
	return ending(arena.StopNarrow, "every error bar is within %s after %d rounds", want, r.seen/every)
}

func (r *rounds) end() *arena.Stop {
	used, wide := false, false
	for i := range r.cells {
		narrow := r.narrow(&r.cells[i])
		used, wide = used || r.cells[i].used && !narrow, wide || !narrow
	}
	what, n := "round", r.limit
	if r.director.cells > 0 {
		what, n = "cell", len(r.cells)
	}
	switch {
	case used:
		return ending(arena.StopOpenings, "the openings are used up (%s): under a limit of nodes or depth further games only repeat; for more give %s",
			arena.Plural(r.director.most, "opening"), r.director.hint())
	case r.passed == len(r.cells) && wide:
		return r.director.without("no pairing is left")
	case r.target > 0 && !wide:
		return ending(arena.StopNarrow, "every cell's score is within %g %%", 100*r.target)
	case r.target > 0:
		return ending(arena.StopPlayed, "the limit of %d pairs a cell is reached; not every score is within %g %%", r.limit, 100*r.target)
	}
	return ending(arena.StopPlayed, "%s", allPlayed(n, what))
}

// allPlayed returns why a run of fixed length is over.
func allPlayed(n int, what string) string {
	if n == 1 {
		return "the " + what + " is played"
	}
	return fmt.Sprintf("all %d %ss are played", n, what)
}
