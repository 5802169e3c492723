package rating

import (
	"fmt"
	"math/rand/v2"
)

// draw draws a class from its probabilities.
func draw(rng *rand.Rand, p []float64) int {
	u := rng.Float64()
	for i, x := range p[:len(p)-1] {
		if u < x {
			return i
		}
		u -= x
	}
	return len(p) - 1
}

// simulatePairs plays pairs between i and j whose expected score is e: a third
// of the openings favours the first seat by 0.2 and a third the second.
func simulatePairs(rng *rand.Rand, i, j int, e float64, pairs int, draws float64) Meeting {
	r := Meeting{A: fmt.Sprint(i), B: fmt.Sprint(j)}
	game := func(score float64) int64 {
		d := draws * 2 * min(score, 1-score)
		return int64(draw(rng, []float64{1 - score - d/2, d, score - d/2}))
	}
	for range pairs {
		bias := min(0.2, e, 1-e) * float64(rng.IntN(3)-1)
		first, second := game(e+bias), game(e-bias)
		for _, half := range []int64{first, second} {
			switch half {
			case 0:
				r.Games.Losses++
			case 1:
				r.Games.Draws++
			case 2:
				r.Games.Wins++
			}
		}
		r.Pairs[first+second]++
	}
	return r
}
