package rating

import "math"

// Excess is the probability that at least own of some events fall on n of all trials, if they
// fall on any of them alike: the upper tail of R. A. Fisher's exact test.
func Excess(own, n, events, all int) float64 {
	p, total := 0.0, choose(all, n)
	for k := own; k <= min(n, events); k++ {
		p += math.Exp(choose(events, k) + choose(all-events, n-k) - total)
	}
	return min(p, 1)
}

// Heads is the probability that at least k of n coins show heads.
func Heads(k, n int) float64 {
	if k <= 0 {
		return 1
	}
	return incompleteBeta(float64(k), float64(n-k+1), 0.5, 0.5)
}

// choose is the logarithm of a binomial coefficient.
func choose(n, k int) float64 {
	if k < 0 || k > n {
		return math.Inf(-1)
	}
	return lgamma(float64(n+1)) - lgamma(float64(k+1)) - lgamma(float64(n-k+1))
}

func lgamma(n float64) float64 {
	x, _ := math.Lgamma(n)
	return x
}
