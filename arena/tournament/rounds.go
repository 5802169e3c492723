package tournament

import (
	"fmt"
	"slices"

	"thera/arena"
)

var roundRobinKind = kind{
	name: "round-robin", doc: "all pairings",
	settings: map[string]string{
		"tournament.rounds": roundsDoc, "until.elo_error": "", "until.score_error": "",
	},
	singles: true,
	begin:   func(f *Fold) format { return newRounds(f, roundRobin(f.plan)) },
}

const roundsDoc = "pairs of every pairing (default 1)"

// rounds plays a list of pairings round after round, in the format cells on each
// start of the openings. It is the format of round robins, gauntlets and cells.
type rounds struct {
	fold     *Fold
	pairings [][2]int
	starts   int    // of a pairing; 1 unless the format is cells
	single   bool   // single games instead of pairs
	limit    int    // the most pairs of a cell
	first    int    // pairs of each cell before the first wave
	cells    []cell // by pairing, then start
	passed   int    // skipped pairs in a row at the end of the prefix
	seen     int    // pairs folded
	waves
}

// roundRobin returns all pairings.
func roundRobin(plan *arena.Plan) [][2]int {
	var pairings [][2]int
	for a := range plan.Engines {
		for b := a + 1; b < len(plan.Engines); b++ {
			pairings = append(pairings, [2]int{a, b})
		}
	}
	return pairings
}

func newRounds(f *Fold, pairings [][2]int) *rounds {
	limit, single := f.plan.Format.Rounds, len(f.plan.Engines) == 1 || !f.plan.Format.Pairs
	r := &rounds{fold: f, pairings: pairings, starts: max(1, f.openings.cells), single: single, limit: limit, first: limit}
	r.cells = make([]cell, r.starts*len(pairings))
	return r
}

// size is the number of games in a pair.
func (r *rounds) size() int {
	if r.single {
		return 1
	}
	return 2
}

func (r *rounds) total() int {
	pairs := 0
	for _, p := range r.pairings {
		pairs += r.starts * min(r.first, r.fold.worth(p[0], p[1], r.single))
	}
	return r.size() * (pairs + r.more)
}

func (r *rounds) most(engine int) int {
	n := 0
	for _, p := range r.pairings {
		n += btoi(p[0] == engine || p[1] == engine)
	}
	return n * r.starts * r.limit * r.size()
}

func (r *rounds) has(k key, leg int) bool {
	round, pairing := int(k.number)/r.starts, [2]int{int(k.a), int(k.b)}
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
	if place >= r.first*len(r.cells)+len(r.queue) {
		if state := r.wave(place); state != Ready {
			return Pair{}, state
		}
	}
	at, round := r.visit(place)
	pairing := r.pairings[at/r.starts]
	p := Pair{A: pairing[0], B: pairing[1], Round: round + 1, Number: round*r.starts + at%r.starts}
	if r.single {
		p.Single = r.leg(p.A == p.B, round) + 1
	}
	return p, Ready
}

// visit returns the cell and the round of the pair at place.
func (r *rounds) visit(place int) (at, round int) {
	if first := r.first * len(r.cells); place >= first {
		v := r.queue[place-first]
		return v.cell, v.round
	}
	return place % len(r.cells), place / len(r.cells)
}

// add ends the run after a whole round was skipped: nothing more can be played.
func (r *rounds) add(_ Pair, res *result) *arena.Stop {
	at, _ := r.visit(r.seen)
	r.seen++
	if res.passed == played {
		r.passed = 0
		r.cells[at].add(res)
		return nil
	}
	r.cells[at].closed, r.cells[at].used = true, r.cells[at].used || res.passed == passedUsed
	if r.passed++; r.passed < len(r.cells) || len(r.queue) > 0 {
		return nil
	}
	if stop := r.usedUp(); stop != nil {
		return stop
	}
	return r.fold.last()
}

// usedUp returns the stop of a run in which cells used up their openings, nil if none did.
func (r *rounds) usedUp() *arena.Stop {
	used := 0
	for i := range r.cells {
		used += btoi(r.cells[i].used && !r.narrow(&r.cells[i]))
	}
	switch {
	case used == 0:
		return nil
	case r.fold.openings.cells > 0:
		return r.fold.openings.stop(fmt.Sprintf("%d of %d cells", used, len(r.cells)))
	case len(r.pairings) > 1:
		return r.fold.openings.stop("some pairings")
	}
	return r.fold.openings.stop(r.fold.both())
}

func (r *rounds) end() *arena.Stop {
	if stop := r.usedUp(); stop != nil {
		return stop
	}
	switch {
	case r.target > 0 && !slices.ContainsFunc(r.cells, func(c cell) bool { return !r.narrow(&c) }):
		return ending(arena.StopNarrow, "every cell's score is within %g %%", 100*r.target)
	case r.target > 0:
		return ending(arena.StopPlayed, "the limit of %d pairs a cell is reached; not every score is within %g %%",
			r.limit, 100*r.target)
	case r.fold.openings.cells > 0:
		return ending(arena.StopPlayed, "%s", allPlayed(len(r.cells), "cell"))
	}
	return ending(arena.StopPlayed, "%s", allPlayed(r.limit, "round"))
}

// allPlayed says why a run of fixed length is over.
func allPlayed(n int, what string) string {
	if n == 1 {
		return "the " + what + " is played"
	}
	return fmt.Sprintf("all %d %ss are played", n, what)
}
