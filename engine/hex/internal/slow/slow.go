// Package slow finds the winner of a Hex board by flood fill, for tests only.
package slow

import "thera/engine/hex/rules"

// Winner is the colour that joins its edges, or None.
func Winner(cells []rules.Colour, size int) rules.Colour {
	for _, c := range []rules.Colour{rules.Black, rules.White} {
		seen := make([]bool, len(cells))
		var walk func(cell int) bool
		walk = func(cell int) bool {
			if cells[cell] != c || seen[cell] {
				return false
			}
			seen[cell] = true
			if c == rules.Black && cell/size == size-1 || c == rules.White && cell%size == size-1 {
				return true
			}
			found := false
			row, column := cell/size, cell%size
			for _, d := range [6][2]int{{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, -1}, {-1, 1}} {
				if r, k := row+d[0], column+d[1]; r >= 0 && r < size && k >= 0 && k < size && walk(r*size+k) {
					found = true
				}
			}
			return found
		}
		for i := range size {
			if c == rules.Black && walk(i) || c == rules.White && walk(i*size) {
				return c
			}
		}
	}
	return rules.None
}
