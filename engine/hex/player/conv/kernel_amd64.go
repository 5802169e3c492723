package conv

import "golang.org/x/sys/cpu"

// Vector is whether the vector code is used. Tests set it to false.
var Vector = cpu.X86.HasAVX2

func (l *layer) convolve(out, in, add []int16, at int, near *[around]int) {
	if !Vector {
		l.convolveGeneric(out, in, add, at, near)
		return
	}
	var bytes [around]int64
	for i, offset := range near {
		bytes[i] = int64(2 * l.inputs * offset)
	}
	pairs, stride := int64(l.inputs/2), int64(2*l.inputs)
	convolveAVX2(&out[0], &in[at*l.inputs], &add[0], &l.weights[0], &l.bias[0], &bytes, pairs, stride, top)
}

// convolveAVX2 is convolveGeneric with AVX2. Pairs are the pairs of inputs, stride is the bytes between two places
// of them.
//
//go:noescape
func convolveAVX2(out, in, add, weights *int16, bias *int32, near *[around]int64, pairs, stride, top int64)

// The vector code is written for these.
var _, _, _ = [1]int{}[Channels-32], [1]int{}[places-3], [1]int{}[shift-12]

// setVector is for tests.
func setVector(on bool) { Vector = on }
