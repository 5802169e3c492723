package tournament

import "testing"

// ladder is a format for tests: each engine plays the next one.
var ladder = kind{
	name: "ladder", doc: "each engine against the next one",
	takes:  []string{"tournament.rounds", "until.score_error"},
	rounds: func(engines int) int { return engines },
	begin: func(d *Director) format {
		var pairings [][2]int
		for b := 1; b < len(d.plan.Engines); b++ {
			pairings = append(pairings, [2]int{b - 1, b})
		}
		return newRounds(d, pairings)
	},
}

// RegisterLadder adds the format ladder during a test.
func RegisterLadder(t *testing.T) {
	before := kinds
	t.Cleanup(func() { kinds = before })
	kinds = append(kinds[:len(kinds):len(kinds)], &ladder)
}
