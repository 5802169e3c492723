package rating

import (
	"math"
	"slices"
)

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

// likelihood returns the log likelihood.
func (f *fit) likelihood() float64 {
	// ln of the expected score, accurate even if the score is tiny.
	ln := func(elo float64) float64 { return -math.Log1p(math.Pow(10, -elo/400)) }
	sum := 0.0
	for _, e := range f.edges {
		d := f.rating[e.a] - f.rating[e.b]
		sum += e.points*ln(d) + (e.n-e.points)*ln(-d)
	}
	if f.prior {
		for _, r := range f.rating {
			sum += priorGames / 2 * (ln(r-f.zero) + ln(f.zero-r))
		}
	}
	return sum
}

// solve maximizes the likelihood, which is concave, by damped Newton steps. It
// reports whether they converged.
func (f *fit) solve() bool {
	best := f.likelihood()
	for range 200 {
		gradient, information := f.slopes()
		l, ok := information.cholesky()
		if !ok {
			return false
		}
		l.solve(gradient)
		before := slices.Clone(f.rating)
		largest := 0.0
		for _, g := range gradient {
			largest = max(largest, math.Abs(g/perElo))
		}
		small := largest < 1e-3 // near the maximum rounding hides progress
		for damp := 1.0; ; damp /= 2 {
			for i, g := range gradient {
				f.rating[i] = before[i] + damp*g/perElo
			}
			now := f.likelihood()
			if now >= best || small || damp < 1e-9 {
				best = now
				break
			}
		}
		if largest < 1e-11*(1+max(slices.Max(f.rating), -slices.Min(f.rating))) {
			f.centre()
			return true
		}
	}
	f.centre()
	return false
}

// centre moves the mean to 0 unless anchors or a prior fix it.
func (f *fit) centre() {
	if !f.free() {
		return
	}
	mean := 0.0
	for _, r := range f.rating {
		mean += r / float64(len(f.rating))
	}
	for i := range f.rating {
		f.rating[i] -= mean
	}
}
