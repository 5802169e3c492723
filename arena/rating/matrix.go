package rating

import "math"

// matrix is a dense square matrix, stored by rows.
type matrix struct {
	n int
	v []float64
}

func square(n int) matrix { return matrix{n, make([]float64, n*n)} }

func (m matrix) at(i, j int) float64 {
	if m.n == 0 {
		return 0
	}
	return m.v[i*m.n+j]
}

func (m matrix) add(i, j int, x float64) { m.v[i*m.n+j] += x }

// laplace adds an edge of weight w between i and j to a graph Laplacian.
func (m matrix) laplace(i, j int, w float64) {
	m.add(i, i, w)
	m.add(j, j, w)
	m.add(i, j, -w)
	m.add(j, i, -w)
}

// cholesky returns the lower triangular l with l·lᵀ = m. ok is false if m is not
// positive definite.
func (m matrix) cholesky() (l matrix, ok bool) {
	l = square(m.n)
	for i := range m.n {
		for j := range i + 1 {
			sum := m.at(i, j)
			for k := range j {
				sum -= l.at(i, k) * l.at(j, k)
			}
			if i != j {
				l.v[i*m.n+j] = sum / l.at(j, j)
				continue
			}
			if !(sum > 0) {
				return matrix{}, false
			}
			l.v[i*m.n+i] = math.Sqrt(sum)
		}
	}
	return l, true
}

// solve replaces b by the solution x of l·lᵀ·x = b.
func (l matrix) solve(b []float64) {
	for i := range l.n {
		for k := range i {
			b[i] -= l.at(i, k) * b[k]
		}
		b[i] /= l.at(i, i)
	}
	for i := l.n - 1; i >= 0; i-- {
		for k := i + 1; k < l.n; k++ {
			b[i] -= l.at(k, i) * b[k]
		}
		b[i] /= l.at(i, i)
	}
}

// inverse returns the inverse of l·lᵀ.
func (l matrix) inverse() matrix {
	out := square(l.n)
	column := make([]float64, l.n)
	for j := range l.n {
		clear(column)
		column[j] = 1
		l.solve(column)
		for i, x := range column {
			out.v[i*l.n+j] = x
		}
	}
	return out
}
