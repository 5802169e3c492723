//go:build !amd64

package conv

// Vector is whether the vector code is used.
const Vector = false

func (l *layer) convolve(out, in, add []int16, at int, near *[around]int) {
	l.convolveGeneric(out, in, add, at, near)
}

// setVector is for tests.
func setVector(bool) {}
