package pyrat

import (
	"slices"
	"strconv"
)

func itoa(n int) string { return strconv.Itoa(n) }

func sortCells(cells [][2]int) {
	slices.SortFunc(cells, func(a, b [2]int) int { return (a[0]-b[0])*1000 + a[1] - b[1] })
}
