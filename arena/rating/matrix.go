package rating

import "math"

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
