package santorini

import "math/bits"

// The board: square 0 is A5, 4 is E5, 20 is A1, 24 is E1, as in the written
// protocol. A set of squares is a uint32.
const (
	squares   = 25
	side      = 5
	noSquare  = 31 // "no square" where a square is expected; its neighbours are none
	board     = 1<<squares - 1
	perimeter = 0b11111_10001_10001_10001_11111
)

// near holds each square's neighbours. It has 32 entries so that an index
// masked to five bits needs no bounds check.
var near = neighbours()

func neighbours() (table [32]uint32) {
	for s := range squares {
		for t := range squares {
			if s != t && abs(s/side-t/side) <= 1 && abs(s%side-t%side) <= 1 {
				table[s] |= 1 << t
			}
		}
	}
	return table
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}

func bit(s int) uint32 { return 1 << (uint(s) & 31) }

// lowest is the first square of a set that is not empty.
func lowest(set uint32) int { return bits.TrailingZeros32(set) }

func size(set uint32) int { return bits.OnesCount32(set) }

// squareName is the name of s, as in "A5".
func squareName(s int) string {
	return string([]byte{'A' + byte(s%side), '5' - byte(s/side)})
}

// squareOf reads a name as squareName writes it; noSquare for anything else.
func squareOf(name string) int {
	if len(name) != 2 || name[0] < 'A' || name[0] > 'E' || name[1] < '1' || name[1] > '5' {
		return noSquare
	}
	return int('5'-name[1])*side + int(name[0]-'A')
}
