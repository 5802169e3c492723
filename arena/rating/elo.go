package rating

import "math"

// perNelo converts a distance in standard deviations of one game to normalized
// Elo.
const perNelo = 800 / math.Ln10

// Elo returns the rating difference at which score is expected. It is infinite
// for a score of 0 or 1, and NaN outside of them.
func Elo(score float64) float64 {
	elo := -400 * math.Log10(1/score-1)
	if elo == 0 {
		return 0 // not -0
	}
	return elo
}

// Expected returns the expected score at a rating difference of elo.
func Expected(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// normal is the cumulative distribution function of the normal distribution.
func normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// finite returns a pointer to x, nil if x is NaN or infinite.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	if x == 0 {
		x = 0 // not -0
	}
	return &x
}
