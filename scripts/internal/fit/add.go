package fit

// addGeneric adds the numbers of row to those of sum.
func addGeneric(sum, row []float32) {
	for i, x := range row[:len(sum)] {
		sum[i] += x
	}
}
