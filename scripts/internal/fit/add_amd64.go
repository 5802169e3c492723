package fit

import "golang.org/x/sys/cpu"

//go:generate go run -C ../../../engine/santorini/net/asm . -kind fit -pkg fit -out ../../../../scripts/internal/fit/avx_amd64.s -stubs ../../../../scripts/internal/fit/avx_amd64.go

// add adds the numbers of row to those of sum, in the same way with and without AVX.
func add(sum, row []float32) {
	if !cpu.X86.HasAVX || len(sum) == 0 || len(sum)%8 != 0 {
		addGeneric(sum, row)
		return
	}
	addAVX(&sum[0], &row[:len(sum)][0], len(sum)/8)
}
