package rating

import "math"

// Stratum are the pairs of two players, from the view of A: those of one place where
// games are played, and those of all other places.
type Stratum struct {
	A, B   string
	Own    Penta
	Others Penta
}

// Homogeneity says whether the pairs of one place are like those of the others.
type Homogeneity struct {
	Statistic float64  `json:"statistic"` // chi-square, if they are
	Freedom   int      `json:"freedom"`   // its degrees of freedom
	P         *float64 `json:"p"`         // the probability of this statistic or a larger one, if they are; nil: nothing can be compared
}

// Homogeneous tests whether the pairs of one place are a random part of all pairs of
// their strata. It is the generalised Cochran-Mantel-Haenszel test of J. R. Landis, E. R.
// Heyman and G. G. Koch, "Average partial association in three-way contingency tables",
// International Statistical Review 46 (1978): given the totals of each stratum, the counts
// of one place have a multiple hypergeometric distribution; linear functions of them are
// added over the strata, and so are their covariances. The functions are the points of each
// player, so that a player that is weaker here in all its strata adds up, and the numbers
// of pairs with 1 point apart and with 2, which see places where games are more or less
// often decided. The degrees of freedom are the rank of the covariance.
//
// Results must be independent given the players; with so few pairs that no function is
// about normal, P means little.
func Homogeneous(strata []Stratum) Homogeneity {
	places := map[string]int{}
	for _, s := range strata {
		for _, name := range [2]string{s.A, s.B} {
			if _, ok := places[name]; !ok {
				places[name] = len(places)
			}
		}
	}
	n := len(places) + 2
	distance, variance := make([]float64, n), square(n)
	for _, s := range strata {
		own, others := float64(s.Own.Pairs()), float64(s.Others.Pairs())
		if own == 0 || others == 0 {
			continue
		}
		functions := []function{{n - 2, [5]float64{0, 1, 0, 1, 0}}, {n - 1, [5]float64{1, 0, 0, 0, 1}}}
		if s.A != s.B {
			functions = append(functions, function{places[s.A], [5]float64{-2, -1, 0, 1, 2}}, function{places[s.B], [5]float64{2, 1, 0, -1, -2}})
		}
		all, total := s.Own.Add(s.Others), own+others
		for _, f := range functions {
			distance[f.at] += f.sum(s.Own) - own*f.sum(all)/total
			for _, g := range functions {
				products := 0.0
				for class, count := range all {
					products += float64(count) * f.value[class] * g.value[class]
				}
				variance.add(f.at, g.at, own*others/(total*(total-1))*(products-f.sum(all)*g.sum(all)/total))
			}
		}
	}
	h := Homogeneity{}
	h.Statistic, h.Freedom = quadratic(distance, variance)
	if h.Freedom > 0 {
		p := chiSquareAbove(h.Statistic, h.Freedom)
		h.P = &p
	}
	return h
}

// function is a linear function of the counts of a stratum.
type function struct {
	at    int // its place in the vector of all functions
	value [5]float64
}

func (f *function) sum(counts Penta) float64 {
	sum := 0.0
	for class, count := range counts {
		sum += float64(count) * f.value[class]
	}
	return sum
}

// quadratic returns x' V⁻ x and the rank of V, which is symmetric and not negative. It
// eliminates by the largest pivot, of functions scaled to variance 1.
func quadratic(x []float64, v matrix) (sum float64, rank int) {
	const least = 1e-9 // of the variance that earlier functions do not explain
	scale := make([]float64, v.n)
	left := map[int]bool{}
	for i := range scale {
		if d := v.v[i*v.n+i]; d > 0 {
			scale[i] = 1 / math.Sqrt(d)
			left[i] = true
		}
	}
	x = append([]float64(nil), x...)
	m := make([]float64, len(v.v))
	for i := range v.n {
		x[i] *= scale[i]
		for j := range v.n {
			m[i*v.n+j] = v.v[i*v.n+j] * scale[i] * scale[j]
		}
	}
	for len(left) > 0 {
		at := -1
		for i := range v.n {
			if left[i] && (at < 0 || m[i*v.n+i] > m[at*v.n+at]) {
				at = i
			}
		}
		pivot := m[at*v.n+at]
		if pivot < least {
			break
		}
		delete(left, at)
		rank++
		sum += x[at] * x[at] / pivot
		for i := range left {
			factor := m[i*v.n+at] / pivot
			x[i] -= factor * x[at]
			for j := range left {
				m[i*v.n+j] -= factor * m[at*v.n+j]
			}
		}
	}
	return sum, rank
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
		gamma, _ := math.Lgamma(a + 1)
		q += math.Exp(a*math.Log(y) - y - gamma)
	}
	return min(q, 1)
}
