package conv

import "golang.org/x/sys/cpu"

// vector is whether the processor has AVX2. Tests set it to false.
var vector = cpu.X86.HasAVX2

func (l *layer) convolve(out, in, add []int16, at int, near *[around]int) {
	if !vector {
		l.convolveGeneric(out, in, add, at, near)
		return
	}
	convolveAVX2(&out[0], &in[at*l.inputs], &add[0], &l.weights[0], &l.bias[0], near, l.inputs/2)
}

// convolveAVX2 is convolveGeneric with AVX2. A place has that many pairs of inputs.
//
//go:noescape
func convolveAVX2(out, in, add, weights *int16, bias *int32, near *[around]int, pairs int)

// The vector code is written for these.
var _, _, _ = [1]int{}[Channels-32], [1]int{}[places-3], [1]int{}[shift-12]
