//go:build !amd64

package fit

func add(sum, row []float32) { addGeneric(sum, row) }
