package rating

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// perElo is the change of the log odds per Elo point.
const perElo = math.Ln10 / 400

// priorGames is the number of virtual draws of each player against a fixed one.
const priorGames = 2

// edge is all games of one pairing. a and b are places of players, a < b.
type edge struct {
	a, b     int
	counts   Counts  // from a's view
	n        float64 // games
	points   float64 // of a, in all games
	units    units
	variance float64 // of the points, as estimated
	freedom  float64 // ... with so many degrees of freedom
	most     float64 // the variance of the points is at most this times that of one game
	largest  float64 // the largest variance that the score allows
}

// fit is a Bradley-Terry problem, and its solution.
type fit struct {
	edges    []edge
	anchored []bool
	prior    bool
	rating   []float64 // Elo; fixed where anchored
	zero     float64   // rating of the prior's fixed player: the mean of the anchors
	p        matrix    // inverse of the information, in Elo for each point; nil if there is none

	// scored tells whether player i scored against player j, directly or through others.
	// Only then the rating of i above j has a lower bound.
	scored    [][]bool
	reference []int // players to whose mean the bounds of a player refer
}

// start sets all ratings that are not anchored to the mean of the anchors.
func (f *fit) start() {
	sum, n := 0.0, 0.0
	for i, is := range f.anchored {
		if is {
			sum += f.rating[i]
			n++
		}
	}
	f.zero = sum / max(n, 1)
	for i, is := range f.anchored {
		if !is {
			f.rating[i] = f.zero
		}
	}
}

// connect finds out who scored against whom, and to whom bounds refer. It returns why the
// ratings are not finite, "" if they are: then each player scored against each other
// (Ford 1957). Anchored players are connected to each other.
func (f *fit) connect(players []Rating) string {
	next, anchors, all := make([][]int, len(players)), []int(nil), make([]int, len(players))
	for _, e := range f.edges {
		if e.points > 0 {
			next[e.a] = append(next[e.a], e.b)
		}
		if e.points < e.n {
			next[e.b] = append(next[e.b], e.a)
		}
	}
	for i, is := range f.anchored {
		if all[i] = i; is {
			anchors = append(anchors, i)
		}
	}
	for k, i := range anchors[min(1, len(anchors)):] {
		next[anchors[k]], next[i] = append(next[anchors[k]], i), append(next[i], anchors[k])
	}
	for i := range players {
		f.scored = append(f.scored, reach(next, i))
	}
	tie := false
	for _, i := range all {
		group := slices.DeleteFunc(slices.Clone(all), func(j int) bool { return !f.scored[i][j] || !f.scored[j][i] })
		if len(group) > len(f.reference) {
			f.reference, tie = group, false
		} else if len(group) == len(f.reference) && group[0] != f.reference[0] {
			tie = true
		}
	}
	connected := len(f.reference) == len(players)
	switch {
	case anchors != nil:
		f.reference = anchors
	case tie:
		f.reference = all
	}
	if connected {
		return ""
	}
	var why []string
	for _, p := range players {
		switch p.Points {
		case float64(p.Games):
			why = append(why, p.Name+" won every game")
		case 0:
			why = append(why, p.Name+" lost every game")
		}
	}
	if why == nil {
		why = []string{"not every player scored against each other, directly or through others"}
	}
	zero := "0"
	if anchors != nil {
		zero = "the mean of the anchors"
	}
	return fmt.Sprintf("%s: no finite ratings follow, so each player was given two draws against one rated %s", list(why), zero)
}

// reach returns which nodes of a graph are reached from one.
func reach(next [][]int, from int) []bool {
	seen, open := make([]bool, len(next)), []int{from}
	for seen[from] = true; len(open) > 0; {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		for _, j := range next[i] {
			if !seen[j] {
				seen[j], open = true, append(open, j)
			}
		}
	}
	return seen
}

// list joins texts about players, at most a few.
func list(texts []string) string {
	if most := 4; len(texts) > most+1 {
		return strings.Join(texts[:most], ", ") + fmt.Sprintf(", … (%d players)", len(texts))
	}
	return strings.Join(texts, ", ")
}

// virtual returns the expected score of a player against the prior's fixed one, and the
// variance of its virtual draws.
func (f *fit) virtual(i int) (expected, variance float64) {
	expected = Expected(f.rating[i] - f.zero)
	return expected, priorGames * expected * (1 - expected)
}

// slopes returns the gradient of the log likelihood, in units of perElo, and the
// information: the Laplacian of n_ij E_ij (1-E_ij), made regular. Rows of fixed players are
// those of the unit matrix. Where nothing is fixed, a constant is added everywhere: the mean
// then stays as it is.
func (f *fit) slopes() (gradient []float64, information matrix) {
	gradient, information = make([]float64, len(f.rating)), square(len(f.rating))
	for _, e := range f.edges {
		expected := Expected(f.rating[e.a] - f.rating[e.b])
		gradient[e.a] += e.points - e.n*expected
		gradient[e.b] -= e.points - e.n*expected
		information.laplace(e.a, e.b, e.n*expected*(1-expected))
	}
	if constant := information[0][0]; !f.prior && !slices.Contains(f.anchored, true) {
		for _, row := range information {
			for j := range row {
				row[j] += constant
			}
		}
	}
	for i := range f.rating {
		if expected, variance := f.virtual(i); f.prior {
			gradient[i] += priorGames * (0.5 - expected)
			information[i][i] += variance
		}
		if f.anchored[i] {
			gradient[i] = 0
			for j := range information {
				information[i][j], information[j][i] = 0, 0
			}
			information[i][i] = 1
		}
	}
	return gradient, information
}

// solve maximizes the likelihood, which is concave, by damped Newton steps. It
// reports whether they converged. Along a step in which no difference changes by more
// than d, curvature changes by no more than a factor of e^d: ln(1+d)/d of the step never
// overshoots (Sun and Tran-Dinh 2019).
func (f *fit) solve() (settled bool) {
	for range 500 {
		step, information := f.slopes()
		l, ok := information.cholesky()
		if !ok {
			return false
		}
		l.solve(step)
		low, high := min(0, slices.Min(step)), max(0, slices.Max(step))
		damp := 1.0
		if d := high - low; d > 0 {
			damp = math.Log1p(d) / d
		}
		for i, g := range step {
			f.rating[i] += damp * g / perElo
		}
		if max(high, -low)/perElo < 1e-11*(1+max(slices.Max(f.rating), -slices.Min(f.rating))) {
			return true
		}
	}
	return false
}

// known is the leverage of a unit beyond which its pairing says nothing about its own
// spread: the ratings follow each of its results.
const known = 1 - 1e-6

// fewFreedom is so few degrees of freedom, as in a Swiss, that the largest spread may
// tell more than the observed one.
const fewFreedom = 5

// spread estimates the variances of all pairings. The ratings follow the results, so that
// residuals are smaller than errors: a unit with leverage h keeps 1-h of its variance,
// and of a degree of freedom (Bell and McCaffrey 2002). With two players this is the
// variance over n-1 units, as in Counts.Estimate.
func (f *fit) spread() {
	_, information := f.slopes()
	l, ok := information.cholesky()
	if !ok {
		return
	}
	f.p = l.inverse()
	for i, is := range f.anchored {
		if is {
			f.p[i][i] = 0
		}
	}
	for i := range f.edges {
		e := &f.edges[i]
		expected, u := Expected(f.rating[e.a]-f.rating[e.b]), e.units
		w := expected * (1 - expected)
		if u.games == 0 { // unfinished pairs
			u.games, u.weight = e.n, 2*e.n
		}
		scale := e.n / u.games * e.n / u.games
		e.most = u.weight * scale
		e.largest = e.most * w
		e.variance, e.freedom = e.largest, math.Inf(1)
		leverage := u.weight / u.games * w * (f.p[e.a][e.a] + f.p[e.b][e.b] - 2*f.p[e.a][e.b])
		if off := u.points/u.games - expected; u.n > 0 && leverage < known {
			e.variance = (u.squares + u.weight*off*off) / (1 - leverage) * scale
			e.freedom = u.n * (1 - leverage)
		}
		if f.scored[e.a][e.b] != f.scored[e.b][e.a] {
			// The information is that of where the virtual draws put the two.
			half := f.nearer([]edge{*e}) / z95
			e.largest = max(e.largest, math.Pow(half*e.n*w*perElo, 2))
			e.variance, e.freedom = e.largest, math.Inf(1)
		}
	}
	for _, row := range f.p {
		for i := range row {
			row[i] /= perElo
		}
	}
}

// difference is a difference of ratings with its error.
type difference struct {
	elo, error, freedom float64
	below, above        bool // whether there is a lower and an upper bound
	flat                bool // the results have no spread: the error is by the largest one
}

// bounds returns the 95 % bounds of a rating of elo.
func (d difference) bounds(elo float64) (lo, hi *float64) {
	half := T95(d.freedom) * d.error
	if d.below {
		lo = finite(elo - half)
	}
	if d.above {
		hi = finite(elo + half)
	}
	return lo, hi
}

// points returns the 95 % error of a player's points, 0 if their spread is unknown.
func (f *fit) points(a int) float64 {
	variance, squares := 0.0, 0.0
	for _, e := range f.edges {
		if e.a == a || e.b == a {
			variance += e.variance
			squares += e.variance * e.variance / e.freedom
		}
	}
	return T95(satterthwaite(variance, squares)) * math.Sqrt(variance)
}

// satterthwaite returns the degrees of freedom of a sum of estimated variances, from
// the sum of their squares, each divided by its freedom (Satterthwaite 1946).
func satterthwaite(sum, squares float64) float64 {
	if squares == 0 {
		return math.Inf(1)
	}
	return sum * sum / squares
}

// difference returns the rating of a above the mean of others.
func (f *fit) difference(a int, others ...int) (d difference, ok bool) {
	if f.p == nil {
		return d, false
	}
	d.elo, d.below, d.above = f.rating[a], true, true
	weights := slices.Clone(f.p[a])
	for _, b := range others {
		share := 1 / float64(len(others))
		d.elo -= share * f.rating[b]
		d.below, d.above = d.below && f.scored[a][b], d.above && f.scored[b][a]
		for i, p := range f.p[b] {
			weights[i] -= share * p
		}
	}
	sum, squares, largest := 0.0, 0.0, 0.0
	var whitewashes []edge
	for _, e := range f.edges {
		if d.below != d.above && f.whitewash(e, a, d.below) {
			whitewashes = append(whitewashes, e)
			continue
		}
		w := weights[e.a] - weights[e.b]
		sum += w * w * e.variance
		squares += w * w * e.variance * w * w * e.variance / e.freedom
		largest += w * w * e.largest
	}
	for i := range f.rating {
		if _, variance := f.virtual(i); f.prior && d.below == d.above {
			sum += weights[i] * weights[i] * variance
			largest += weights[i] * weights[i] * variance
		}
	}
	d.freedom = satterthwaite(sum, squares)
	d.flat = !(sum > 1e-9*largest)
	if d.flat || d.freedom < fewFreedom && T95(d.freedom)*math.Sqrt(sum) > z95*math.Sqrt(largest) {
		sum, d.freedom = largest, math.Inf(1)
	}
	d.error = math.Sqrt(sum)
	if len(whitewashes) > 0 {
		d.error, d.freedom = math.Hypot(T95(d.freedom)*d.error, f.nearer(whitewashes))/z95, math.Inf(1)
		d.flat = false
	}
	return d, d.error > 0
}

// whitewash reports whether one side of a pairing is in the group of player a and won all
// points, or lost them all.
func (f *fit) whitewash(e edge, a int, won bool) bool {
	in := func(i int) bool { return f.scored[a][i] && f.scored[i][a] }
	return in(e.a) != in(e.b) && (in(e.a) == won && e.points == e.n || in(e.b) == won && e.points == 0)
}

// nearer returns by how much less than they are the winners of whitewashes can be above the
// losers. It is the bound of Wilson, over several pairings: there the points that the
// losers should have made are z standard deviations.
func (f *fit) nearer(whitewashes []edge) float64 {
	lo, hi := 0.0, 4*MaxAnchor
	for hi-lo > 1e-9 {
		by, points, variance := (lo+hi)/2, 0.0, 0.0
		for _, e := range whitewashes {
			apart := f.rating[e.a] - f.rating[e.b]
			if e.points == 0 {
				apart = -apart
			}
			expected := Expected(by - apart)
			points += e.n * expected
			variance += e.most * expected * (1 - expected)
		}
		if points < z95*math.Sqrt(variance) {
			lo = by
		} else {
			hi = by
		}
	}
	return lo
}

// matrix is a square matrix, by rows.
type matrix [][]float64

func square(n int) matrix {
	m := make(matrix, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	return m
}

// laplace adds an edge of weight w between i and j to a graph Laplacian.
func (m matrix) laplace(i, j int, w float64) {
	m[i][i] += w
	m[j][j] += w
	m[i][j] -= w
	m[j][i] -= w
}

// cholesky returns the lower triangular l with l·lᵀ = m. ok is false if m is not positive
// definite.
func (m matrix) cholesky() (l matrix, ok bool) {
	l = square(len(m))
	for i, row := range l {
		for j, other := range l[:i+1] {
			sum := m[i][j]
			for k, x := range other[:j] {
				sum -= x * row[k]
			}
			switch {
			case i != j:
				row[j] = sum / other[j]
			case sum > 0:
				row[i] = math.Sqrt(sum)
			default:
				return nil, false
			}
		}
	}
	return l, true
}

// solve replaces b by the solution x of l·lᵀ·x = b.
func (l matrix) solve(b []float64) {
	for i, row := range l {
		for k, x := range row[:i] {
			b[i] -= x * b[k]
		}
		b[i] /= row[i]
	}
	for i := len(l) - 1; i >= 0; i-- {
		b[i] /= l[i][i]
		for k, x := range l[i][:i] {
			b[k] -= x * b[i]
		}
	}
}

// inverse returns the inverse of l·lᵀ, which is symmetric.
func (l matrix) inverse() matrix {
	out := square(len(l))
	for i, row := range out {
		row[i] = 1
		l.solve(row)
	}
	return out
}
