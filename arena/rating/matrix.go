package rating

import (
	"math"
	"slices"
)

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

// lower is a lower triangular matrix. Its rows begin with zeros, which cost nothing: the players of a
// long chain, in their order, meet only their neighbours.
type lower struct {
	matrix
	first []int // by row, where it is not zero
}

// row returns the part of a row that is not zero, from a column on.
func (l *lower) row(i, from int) []float64 { return l.v[i*l.n+from : i*l.n+i] }

// cholesky returns the l with l·lᵀ = m. ok is false if m is not positive definite.
func (m matrix) cholesky() (l lower, ok bool) {
	l = lower{square(m.n), make([]int, m.n)}
	for i := range m.n {
		for m.v[i*m.n+l.first[i]] == 0 && l.first[i] < i {
			l.first[i]++
		}
		for j := l.first[i]; j <= i; j++ {
			sum, from := m.at(i, j), max(l.first[i], l.first[j])
			other := l.row(j, min(from, j))
			for k, x := range l.row(i, min(from, j))[:len(other)] {
				sum -= x * other[k]
			}
			if i != j {
				l.v[i*m.n+j] = sum / l.at(j, j)
				continue
			}
			if !(sum > 0) {
				return lower{}, false
			}
			l.v[i*m.n+i] = math.Sqrt(sum)
		}
	}
	return l, true
}

// solve replaces b by the solution x of l·lᵀ·x = b.
func (l *lower) solve(b []float64) {
	for i, from := range l.first {
		for k, x := range l.row(i, from) {
			b[i] -= x * b[from+k]
		}
		b[i] /= l.at(i, i)
	}
	for i, from := range slices.Backward(l.first) {
		b[i] /= l.at(i, i)
		for k, x := range l.row(i, from) {
			b[from+k] -= x * b[i]
		}
	}
}

// inverse returns the inverse of l·lᵀ, which is symmetric.
func (l *lower) inverse() matrix {
	out := square(l.n)
	for i := range l.n {
		row := out.v[i*l.n:][:l.n]
		row[i] = 1
		l.solve(row)
	}
	return out
}

// centre subtracts from a symmetric matrix the means of its rows and columns.
func (m matrix) centre() {
	means, mean := make([]float64, m.n), 0.0
	for i := range m.n {
		for _, x := range m.v[i*m.n:][:m.n] {
			means[i] += x / float64(m.n)
		}
		mean += means[i] / float64(m.n)
	}
	for i := range m.n {
		for j := range m.n {
			m.add(i, j, mean-means[i]-means[j])
		}
	}
}
