//go:build !amd64

package conv

var vector = false

func (l *layer) convolve(out, in, add []int16, at int, near *[around]int) {
	l.convolveGeneric(out, in, add, at, near)
}
