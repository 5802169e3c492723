package rating

import "math"

// Trial is the score of some pairs of games between two settings, which X describes.
type Trial struct {
	X     []float64
	Pairs float64
	Score float64
}

// Regress returns the coefficients of a logistic regression of the scores on X, and their
// covariances. ok is false if they do not follow from the trials. The size of the noise is
// estimated: a pair is no two independent games.
func Regress(trials []Trial) (b []float64, covariance func(i, k int) float64, ok bool) {
	const least = 1e-10 // of the information about a coefficient, that others do not have
	if len(trials) == 0 || len(trials) <= len(trials[0].X)+1 {
		return nil, nil, false
	}
	n := len(trials[0].X)
	b = make([]float64, n)
	for range 50 { // Newton's method
		information, gradient, rest := square(n), make([]float64, n), 0.0
		for _, t := range trials {
			odds := 0.0
			for i, x := range t.X {
				odds += b[i] * x
			}
			expected := 1 / (1 + math.Exp(-odds))
			spread, off := max(expected*(1-expected), 1e-6), t.Score-expected
			for i, x := range t.X {
				gradient[i] += t.Pairs * off * x
				for k, y := range t.X {
					information.add(i, k, t.Pairs*spread*x*y)
				}
			}
			rest += t.Pairs * off * off / spread
		}
		l, ok := information.cholesky()
		for i := range n {
			if !ok || l.at(i, i)*l.at(i, i) < least*information.at(i, i) {
				return nil, nil, false
			}
		}
		inverse, far := l.inverse(), 0.0
		l.solve(gradient)
		for i, step := range gradient {
			b[i] += step
			far = max(far, step*step/inverse.at(i, i))
		}
		if far < 1e-12 {
			noise := rest / float64(len(trials)-n)
			return b, func(i, k int) float64 { return noise * inverse.at(i, k) }, true
		}
	}
	return nil, nil, false
}
