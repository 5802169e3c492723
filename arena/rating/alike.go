package rating

import "math"

// leastAlike is how many pairs of a pairing each side of a comparison needs, so that
// their sums are about normal.
const leastAlike = 8

// Alike returns how likely a difference of points as large as that between some pairs of each
// pairing and all others of it is, if they are alike; nil if nothing can be compared. In
// each pairing, given the totals, the points of some pairs have the mean and variance of
// draws without replacement (Landis, Heyman and Koch 1978); the squares of their distances,
// in standard deviations, add up over the pairings.
func Alike(pairings [][2]Penta) *float64 {
	statistic, freedom := 0.0, 0
	for _, counts := range pairings {
		own, others := float64(counts[0].Pairs()), float64(counts[1].Pairs())
		if min(own, others) < leastAlike {
			continue
		}
		total, all := own+others, counts[0].Add(counts[1])
		mean, squares := all.Points()/total, 0.0
		for class, n := range all {
			off := float64(class)/2 - mean
			squares += float64(n) * off * off
		}
		if variance := own * others / total * squares / (total - 1); variance > 1e-9 {
			off := counts[0].Points() - own*mean
			statistic += off * off / variance
			freedom++
		}
	}
	if freedom == 0 {
		return nil
	}
	return finite(chiSquareAbove(statistic, freedom))
}

// chiSquareAbove returns the probability that chi-square with so many degrees of freedom,
// at least one, is at least x.
func chiSquareAbove(x float64, freedom int) float64 {
	if x <= 0 {
		return 1
	}
	// Q(a+1, y) = Q(a, y) + y^a e^-y / Γ(a+1), from Q(1/2, y) = erfc(√y) or Q(1, y) = e^-y.
	y, a, q := x/2, 1.0, math.Exp(-x/2)
	if freedom%2 == 1 {
		a, q = 0.5, math.Erfc(math.Sqrt(x/2))
	}
	for ; a < float64(freedom)/2-0.25; a++ {
		q += math.Exp(a*math.Log(y) - y - lgamma(a+1))
	}
	return min(q, 1)
}
