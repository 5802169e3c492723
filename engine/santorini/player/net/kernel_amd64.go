package net

import "golang.org/x/sys/cpu"

//go:generate go -C asm run . -pkg net -out ../avx2_amd64.s -stubs ../avx2_amd64.go

// vector says that the processor has AVX2. Tests switch it off.
var vector = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2

func (e *Evaluator) evaluate() int32 {
	if !vector {
		return e.evaluateGeneric()
	}
	return evaluateAVX2(&e.sums[0][0])
}
