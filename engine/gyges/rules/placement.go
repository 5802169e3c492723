package rules

import "math/rand/v2"

// arrangements is the number of orders of 1, 1, 2, 2, 3, 3.
const arrangements = 90

// RandomPlacement draws each side's home row from its 90 arrangements of two
// pieces of each value.
func RandomPlacement(rng *rand.Rand) Board {
	first, second := homeRow(rng.IntN(arrangements)), homeRow(rng.IntN(arrangements))
	var b Board
	for c := range 6 {
		b.put(c, first[c])
		b.put(Squares-1-c, second[c]) // each row is seen by its player
	}
	return b
}

// homeRow is the n-th arrangement in numerical order, 0 <= n < 90.
func homeRow(n int) [6]int {
	left := [4]int{1: 2, 2: 2, 3: 2}
	var row [6]int
	for i := range row {
		for value := 1; value <= 3; value++ {
			if left[value] == 0 {
				continue
			}
			left[value]--
			ways := orders(left)
			if n < ways {
				row[i] = value
				break
			}
			n -= ways
			left[value]++
		}
	}
	return row
}

// orders counts the distinct orders of the pieces left of each value.
func orders(left [4]int) int {
	factorial := [...]int{1, 1, 2, 6, 24, 120, 720}
	return factorial[left[1]+left[2]+left[3]] /
		(factorial[left[1]] * factorial[left[2]] * factorial[left[3]])
}
