package rating

import "math"

// Heads is the probability that at least k of n coins show heads.
func Heads(k, n int) float64 {
	if k <= 0 {
		return 1
	}
	return incompleteBeta(float64(k), float64(n-k+1), 0.5, 0.5)
}

func lgamma(n float64) float64 {
	x, _ := math.Lgamma(n)
	return x
}
