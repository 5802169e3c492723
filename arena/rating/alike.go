package rating

import "math"

// leastAlike is how many pairs of a pairing each side of a comparison needs, so that
// their sums are about normal.
const leastAlike = 8

// Alike returns how likely a difference as large as that between some pairs of each
// pairing and all others of it is, if they are alike; nil if nothing can be compared. In
// each pairing, given the totals, the points of some pairs and how many points their
// two sides are apart have the means and covariances of draws without replacement (Landis,
// Heyman and Koch 1978); the squares of their distances, in standard deviations, add
// up over the pairings.
func Alike(pairings [][2]Penta) *float64 {
	statistic, freedom := 0.0, 0
	add := func(off, variance float64) {
		if variance > 1e-9 {
			statistic += off * off / variance
			freedom++
		}
	}
	for _, counts := range pairings {
		own, others := float64(counts[0].Pairs()), float64(counts[1].Pairs())
		if min(own, others) < leastAlike {
			continue
		}
		total := own + others
		var off, sum [2]float64 // of points, and of how far they are apart
		var products [3]float64
		for class, n := range counts[0].Add(counts[1]) {
			x, y, n := float64(class-2), math.Abs(float64(class-2)), float64(n)
			sum[0], sum[1] = sum[0]+n*x, sum[1]+n*y
			products[0], products[1], products[2] = products[0]+n*x*x, products[1]+n*x*y, products[2]+n*y*y
			off[0], off[1] = off[0]+float64(counts[0][class])*x, off[1]+float64(counts[0][class])*y
		}
		scale := own * others / (total * (total - 1))
		points, both, apart := scale*(products[0]-sum[0]*sum[0]/total), scale*(products[1]-sum[0]*sum[1]/total), scale*(products[2]-sum[1]*sum[1]/total)
		off[0], off[1] = off[0]-own*sum[0]/total, off[1]-own*sum[1]/total
		if add(off[0], points); points > 0 { // what the points do not explain
			off[1], apart = off[1]-both/points*off[0], apart-both*both/points
		}
		add(off[1], apart)
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
