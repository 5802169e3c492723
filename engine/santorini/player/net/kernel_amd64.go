package net

import "golang.org/x/sys/cpu"

// vector is whether the processor has AVX2. Tests set it to false.
var vector = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2

func (e *Evaluator) evaluate() int32 {
	if !vector {
		return e.evaluateGeneric()
	}
	return evaluateAVX2(e)
}

// evaluateAVX2 is evaluateGeneric with AVX2.
//
//go:noescape
func evaluateAVX2(e *Evaluator) int32

// The vector code is written for rows of 64 numbers and 16 neurons.
var _, _ = [1]int{}[Width-64], [1]int{}[Neurons-16]
