package rating

import (
	"math"
	"slices"
)

// perElo is the change of the log odds per Elo point.
const perElo = math.Ln10 / 400

// priorGames is the number of virtual draws of each player against a fixed one.
const priorGames = 2

// edge is all games of one pairing. a and b are places of players, a < b.
type edge struct {
	a, b   int
	n      float64 // games
	points float64 // of a, in all games
	units  units
}

// fit is a Bradley-Terry problem that is being solved.
type fit struct {
	edges    []edge
	anchored []bool
	fixed    []bool // anchored, or the first player if nothing else fixes the mean
	prior    bool
	rating   []float64 // Elo; fixed where anchored
	zero     float64   // rating of the prior's fixed player
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
	f.fixed = slices.Clone(f.anchored)
	if n > 0 {
		f.zero = sum / n
	} else if !f.prior {
		f.fixed[0] = true
	}
	for i, is := range f.anchored {
		if !is {
			f.rating[i] = f.zero
		}
	}
}

// free reports whether the mean is moved to 0 at the end.
func (f *fit) free() bool { return !f.prior && !slices.Contains(f.anchored, true) }

// slopes returns the gradient of the log likelihood, in units of perElo, and the
// information: the Laplacian of n_ij E_ij (1-E_ij). Rows of fixed players are those of
// the unit matrix, which makes it regular.
func (f *fit) slopes() (gradient []float64, information matrix) {
	n := len(f.rating)
	gradient, information = make([]float64, n), square(n)
	for _, e := range f.edges {
		expected := Expected(f.rating[e.a] - f.rating[e.b])
		gradient[e.a] += e.points - e.n*expected
		gradient[e.b] -= e.points - e.n*expected
		information.laplace(e.a, e.b, e.n*expected*(1-expected))
	}
	if f.prior {
		for i, r := range f.rating {
			expected := Expected(r - f.zero)
			gradient[i] += priorGames * (0.5 - expected)
			information.add(i, i, priorGames*expected*(1-expected))
		}
	}
	for i, is := range f.fixed {
		if !is {
			continue
		}
		gradient[i] = 0
		for j := range n {
			information.v[i*n+j], information.v[j*n+i] = 0, 0
		}
		information.add(i, i, 1)
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
			break
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
		if settled = max(high, -low)/perElo < 1e-11*(1+max(slices.Max(f.rating), -slices.Min(f.rating))); settled {
			break
		}
	}
	if f.free() {
		mean := 0.0
		for _, r := range f.rating {
			mean += r / float64(len(f.rating))
		}
		for i := range f.rating {
			f.rating[i] -= mean
		}
	}
	return settled
}
