package rating

import "math"

// joint is what the bounds of a joint rating follow from.
type joint struct {
	rating []float64
	edges  []edge
	p      matrix // inverse of the information, in Elo for each point; nil if there is none
	spread []spread
	prior  []float64 // variance of each player's virtual draws, nil without them
}

// spread is the variance of the points in one pairing, as estimated.
type spread struct {
	variance float64
	freedom  float64
	largest  float64 // the largest variance that the score allows
}

// known is the leverage of a unit beyond which its pairing says nothing about its own
// spread: the ratings follow each of its results.
const known = 1 - 1e-6

// fewFreedom is so few degrees of freedom, as in a Swiss, that the largest spread may
// tell more than the observed one.
const fewFreedom = 5

// joint returns the spread of all pairings. The ratings follow the results, so that
// residuals are smaller than errors: a unit with leverage h keeps 1-h of its variance,
// and of a degree of freedom (Bell and McCaffrey 2002). With two players this is the
// variance over n-1 units, as in Counts.Estimate.
func (f *fit) joint() joint {
	j := joint{rating: f.rating, edges: f.edges}
	_, information := f.slopes()
	l, ok := information.cholesky()
	if !ok {
		return j
	}
	j.p = l.inverse()
	for i, is := range f.anchored {
		if is {
			j.p[i][i] = 0
		}
	}
	for _, e := range f.edges {
		expected := Expected(f.rating[e.a] - f.rating[e.b])
		w := expected * (1 - expected)
		if e.units.games == 0 { // unfinished pairs
			j.spread = append(j.spread, spread{variance: 2 * e.n * w, freedom: math.Inf(1), largest: 2 * e.n * w})
			continue
		}
		resistance := j.p[e.a][e.a] + j.p[e.b][e.b] - 2*j.p[e.a][e.b]
		size := e.units.weight / e.units.games
		leverage := size * w * resistance
		off := e.units.points/e.units.games - expected
		scale := e.n / e.units.games * e.n / e.units.games
		s := spread{largest: e.units.weight * w * scale}
		if leverage < known {
			s.variance = (e.units.squares + e.units.weight*off*off) / (1 - leverage) * scale
			s.freedom = e.units.n * (1 - leverage)
		} else {
			s.variance, s.freedom = s.largest, math.Inf(1)
		}
		j.spread = append(j.spread, s)
	}
	for _, row := range j.p {
		for i := range row {
			row[i] /= perElo
		}
	}
	if f.prior {
		for _, r := range f.rating {
			expected := Expected(r - f.zero)
			j.prior = append(j.prior, priorGames*expected*(1-expected))
		}
	}
	return j
}

// difference is a difference of ratings with its error.
type difference struct {
	elo, error, freedom float64
	flat                bool // the results have no spread: the error is by the largest one
}

// bounds returns the 95 % bounds.
func (d difference) bounds() (lo, hi *float64) {
	half := T95(d.freedom) * d.error
	return finite(d.elo - half), finite(d.elo + half)
}

// points returns the 95 % error of a player's points, 0 if their spread is unknown.
func (j *joint) points(a int) float64 {
	variance, squares := 0.0, 0.0
	for k, e := range j.edges {
		if e.a == a || e.b == a {
			s := j.spread[k]
			variance += s.variance
			squares += s.variance * s.variance / s.freedom
		}
	}
	return T95(satterthwaite(variance, squares)) * math.Sqrt(variance)
}

// satterthwaite returns the degrees of freedom of a sum of estimated variances, from
// the sum of their squares, each divided by its own (Satterthwaite 1946).
func satterthwaite(sum, squares float64) float64 {
	if squares == 0 {
		return math.Inf(1)
	}
	return sum * sum / squares
}

// difference returns the rating of a above that of b, or above 0 if b is -1.
func (j *joint) difference(a, b int) (d difference, ok bool) {
	if j.p == nil {
		return d, false
	}
	d.elo = j.rating[a]
	weight := func(i int) float64 { return j.p[a][i] }
	if b >= 0 {
		d.elo -= j.rating[b]
		weight = func(i int) float64 { return j.p[a][i] - j.p[b][i] }
	}
	sum, squares, largest := 0.0, 0.0, 0.0
	for k, e := range j.edges {
		w := weight(e.a) - weight(e.b)
		s := j.spread[k]
		sum += w * w * s.variance
		squares += w * w * s.variance * w * w * s.variance / s.freedom
		largest += w * w * s.largest
	}
	for i, v := range j.prior {
		w := weight(i)
		sum += w * w * v
		largest += w * w * v
	}
	d.freedom = satterthwaite(sum, squares)
	d.flat = !(sum > 1e-9*largest)
	if d.flat || d.freedom < fewFreedom && T95(d.freedom)*math.Sqrt(sum) > z95*math.Sqrt(largest) {
		sum, d.freedom = largest, math.Inf(1)
	}
	d.error = math.Sqrt(sum)
	return d, d.error > 0
}
