//go:build !amd64

package net

var vector = false

func view(sum *row, steps []row, changes []uint32, rows []row, others []uint32, pool *row) {
	viewGeneric(sum, steps, changes, rows, others, pool)
}

func second(pool *[2]row, w *weights) int32 { return secondGeneric(pool, w) }
