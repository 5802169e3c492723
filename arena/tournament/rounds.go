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

// rounds plays a list of pairings round after round. It is the format of round
// robins and gauntlets.
type rounds struct {
	fold     *Fold
	pairings [][2]int
	rounds   int
	pairs    bool
	passed   int // skipped pairs in a row at the end of the prefix
	used     bool
}

func newRounds(f *Fold, pairings [][2]int) *rounds {
	return &rounds{fold: f, pairings: pairings, rounds: f.plan.Format.Rounds, pairs: f.plan.Format.Pairs}
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

// games returns the number of games in that many pairs.
func (r *rounds) games(pairs int) int {
	if r.pairs {
		return 2 * pairs
	}
	return pairs
}

func (r *rounds) total() int {
	pairs := 0
	for _, p := range r.pairings {
		pairs += min(r.rounds, r.fold.worth(p[0], p[1], !r.pairs))
	}
	return r.games(pairs)
}

func (r *rounds) most(engine int) int {
	n := 0
	for _, p := range r.pairings {
		n += btoi(p[0] == engine || p[1] == engine)
	}
	return r.games(n * r.rounds)
}

func (r *rounds) has(k key, leg int) bool {
	return int(k.number) < r.rounds && (r.pairs || leg == int(k.number)%2) && slices.Contains(r.pairings, [2]int{int(k.a), int(k.b)})
}

func (r *rounds) next(place int) (Pair, Readiness) {
	if place >= r.rounds*len(r.pairings) {
		return Pair{}, Over
	}
	round, pairing := place/len(r.pairings), r.pairings[place%len(r.pairings)]
	p := Pair{A: pairing[0], B: pairing[1], Round: round + 1, Number: round}
	if !r.pairs {
		p.Single = round%2 + 1 // one game for each opening; seats change from round to round
	}
	return p, Ready
}

// add ends the run after a whole round was skipped: nothing more can be played.
func (r *rounds) add(_ Pair, res *result) *arena.Stop {
	if res.passed == played {
		r.passed = 0
		return nil
	}
	r.used = r.used || res.passed == passedUsed
	if r.passed++; r.passed < len(r.pairings) {
		return nil
	}
	if !r.used {
		return r.fold.last()
	}
	return r.fold.openings.stop(r.who())
}

// who names the pairings that used up their openings.
func (r *rounds) who() string {
	if len(r.pairings) > 1 {
		return "some pairings"
	}
	return r.fold.both()
}

func (r *rounds) end() *arena.Stop {
	if r.used {
		return r.fold.openings.stop(r.who())
	}
	return ending(arena.StopPlayed, "%s", allPlayed(r.rounds, "round"))
}

// allPlayed says why a run of fixed length is over.
func allPlayed(n int, what string) string {
	if n == 1 {
		return "the " + what + " is played"
	}
	return fmt.Sprintf("all %d %ss are played", n, what)
}
