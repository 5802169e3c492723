package rating

import "math"

// z95 is the 97.5 % quantile of the normal distribution: 95 %, two sided.
const z95 = 1.959963984540054

// perNelo turns a distance in standard deviations of a game into normalized
// Elo: 800 / ln 10.
const perNelo = 800 / math.Ln10

// Elo is the rating difference at which score, between 0 and 1, is expected;
// infinite at the ends and NaN beyond them.
func Elo(score float64) float64 {
	elo := -400 * math.Log10(1/score-1)
	if elo == 0 {
		return 0 // never the negative zero
	}
	return elo
}

// Expected is the score expected at a rating difference of elo.
func Expected(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// normal is the distribution function of the normal distribution.
func normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// finite is a pointer to x, or nil where x is NaN or infinite.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	if x == 0 {
		x = 0 // never the negative zero
	}
	return &x
}
