package tournament

import (
	"fmt"

	"thera/arena"
)

// rounds is a list of pairings played round after round: round robin and
// gauntlet.
type rounds struct {
	pairings [][2]int
	rounds   int
	pairs    bool
}

// roundRobin lets all play all.
func roundRobin(plan *arena.Plan) *rounds {
	r := &rounds{rounds: plan.Format.Rounds, pairs: plan.Format.Pairs}
	for a := range plan.Engines {
		for b := a + 1; b < len(plan.Engines); b++ {
			r.pairings = append(r.pairings, [2]int{a, b})
		}
	}
	return r
}

// gauntlet lets every seed play all that are not seeds; without any seed the
// first engine is one.
func gauntlet(plan *arena.Plan) *rounds {
	r := &rounds{rounds: plan.Format.Rounds, pairs: plan.Format.Pairs}
	seed := make([]bool, len(plan.Engines))
	none := true
	for i, e := range plan.Engines {
		seed[i] = e.Seed
		none = none && !e.Seed
	}
	seed[0] = seed[0] || none
	for a := range plan.Engines {
		for b := range plan.Engines {
			if seed[a] && !seed[b] {
				r.pairings = append(r.pairings, [2]int{min(a, b), max(a, b)})
			}
		}
	}
	return r
}

func (r *rounds) width() int { return len(r.pairings) }

func (r *rounds) total() int {
	if !r.pairs {
		return r.rounds * len(r.pairings)
	}
	return 2 * r.rounds * len(r.pairings)
}

func (r *rounds) next(place int) (Pair, State) {
	if place >= r.rounds*len(r.pairings) {
		return Pair{}, Over
	}
	round, pairing := place/len(r.pairings), r.pairings[place%len(r.pairings)]
	p := Pair{A: pairing[0], B: pairing[1], Round: round + 1, Number: round}
	if !r.pairs {
		p.Single = round%2 + 1 // every opening once, seats change from round to round
	}
	return p, Ready
}

func (r *rounds) saw(Pair, Result) string { return "" }

func (r *rounds) end() string {
	return allPlayed(r.rounds, "round")
}

// allPlayed is why a run of fixed length is over.
func allPlayed(n int, what string) string {
	if n == 1 {
		return "the " + what + " is played"
	}
	return fmt.Sprintf("all %d %ss are played", n, what)
}
