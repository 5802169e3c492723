package tournament

import (
	"slices"

	"thera/arena"
)

var gauntletKind = kind{
	name: "gauntlet", doc: "the seeds against all others",
	settings: map[string]string{
		"tournament.rounds": roundsDoc,
		"tournament.seeds":  "names of the engines that play against all others (default: the first engine)",
		"until.elo_error":   "", "until.score_error": "",
	},
	singles: true,
	check: func(plan *arena.Plan, bad report) {
		if !slices.ContainsFunc(plan.Engines, func(e arena.EngineSpec) bool { return !e.Seed }) {
			bad("tournament", "every engine is a seed, expected one that is not (round-robin plays all pairings)")
		}
	},
	begin: func(f *Fold) format { return newRounds(f, gauntlet(f.plan)) },
}

// gauntlet pairs each seed with each engine that is not one. If there is no
// seed, the first engine is.
func gauntlet(plan *arena.Plan) [][2]int {
	seed := make([]bool, len(plan.Engines))
	for i, e := range plan.Engines {
		seed[i] = e.Seed
	}
	seed[0] = seed[0] || !slices.Contains(seed, true)
	var pairings [][2]int
	for a := range plan.Engines {
		for b := range plan.Engines {
			if seed[a] && !seed[b] {
				pairings = append(pairings, [2]int{min(a, b), max(a, b)})
			}
		}
	}
	return pairings
}
