package net

import "golang.org/x/sys/cpu"

//go:generate go -C asm run . -kind net -pkg net -out ../avx2_amd64.s -stubs ../avx2_amd64.go

// vector says that the processor has AVX2. Tests switch it off.
var vector = cpu.X86.HasAVX2

func view(sum *row, steps []row, changes []uint32, rows []row, others []uint32, pool *row) {
	if !vector {
		viewGeneric(sum, steps, changes, rows, others, pool)
		return
	}
	viewAVX2(&sum[0], &steps[0][0], &changes[:1][0], len(changes)/unroll, &rows[0][0], &others[:1][0], len(others)/unroll, &pool[0])
}

func second(pool *[2]row, w *weights) int32 {
	if !vector {
		return secondGeneric(pool, w)
	}
	return secondAVX2(&pool[0][0], &w.second[0][0][0])
}
