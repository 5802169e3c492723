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

// connect returns why the ratings are not finite, "" if they are: then each player scored
// against each other, directly or through others (Ford 1957). Anchored players are
// connected to each other.
func (f *fit) connect(players []Rating) string {
	links, last := slices.Clone(f.edges), -1
	for i, is := range f.anchored {
		if is && last >= 0 {
			links = append(links, edge{a: last, b: i, n: 2, points: 1})
		}
		if is {
			last = i
		}
	}
	if f.reaches(links, true) && f.reaches(links, false) {
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
	if last >= 0 {
		zero = "the mean of the anchors"
	}
	return fmt.Sprintf("%s: no finite ratings follow, so each player was given two draws against one rated %s", list(why), zero)
}

// reaches reports whether all players are reached from the first one, along wins or along
// losses.
func (f *fit) reaches(links []edge, wins bool) bool {
	seen := make([]bool, len(f.rating))
	seen[0] = true
	for more := true; more; {
		more = false
		for _, e := range links {
			there, back := e.points > 0, e.points < e.n
			if !wins {
				there, back = back, there
			}
			if seen[e.a] != seen[e.b] && (there && seen[e.a] || back && seen[e.b]) {
				seen[e.a], seen[e.b], more = true, true, true
			}
		}
	}
	return !slices.Contains(seen, false)
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
		e.largest = u.weight * w * scale
		e.variance, e.freedom = e.largest, math.Inf(1)
		leverage := u.weight / u.games * w * (f.p[e.a][e.a] + f.p[e.b][e.b] - 2*f.p[e.a][e.b])
		if off := u.points/u.games - expected; u.n > 0 && leverage < known {
			e.variance = (u.squares + u.weight*off*off) / (1 - leverage) * scale
			e.freedom = u.n * (1 - leverage)
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
	flat                bool // the results have no spread: the error is by the largest one
}

// bounds returns the 95 % bounds.
func (d difference) bounds() (lo, hi *float64) {
	half := T95(d.freedom) * d.error
	return finite(d.elo - half), finite(d.elo + half)
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

// difference returns the rating of a above that of b, or above 0 if b is -1.
func (f *fit) difference(a, b int) (d difference, ok bool) {
	if f.p == nil {
		return d, false
	}
	d.elo = f.rating[a]
	weight := func(i int) float64 { return f.p[a][i] }
	if b >= 0 {
		d.elo -= f.rating[b]
		weight = func(i int) float64 { return f.p[a][i] - f.p[b][i] }
	}
	sum, squares, largest := 0.0, 0.0, 0.0
	for _, e := range f.edges {
		w := weight(e.a) - weight(e.b)
		sum += w * w * e.variance
		squares += w * w * e.variance * w * w * e.variance / e.freedom
		largest += w * w * e.largest
	}
	for i := range f.rating {
		if _, variance := f.virtual(i); f.prior {
			sum += weight(i) * weight(i) * variance
			largest += weight(i) * weight(i) * variance
		}
	}
	d.freedom = satterthwaite(sum, squares)
	d.flat = !(sum > 1e-9*largest)
	if d.flat || d.freedom < fewFreedom && T95(d.freedom)*math.Sqrt(sum) > z95*math.Sqrt(largest) {
		sum, d.freedom = largest, math.Inf(1)
	}
	d.error = math.Sqrt(sum)
	return d, d.error > 0
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
