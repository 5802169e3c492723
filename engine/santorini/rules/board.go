package rules

import "math/bits"

// The board. Squares are numbered by rows: 0 is A5, 4 is E5, 20 is A1, 24 is E1.
// A set of squares is a uint32 with bit s for square s.
const (
	Squares   = 25
	Side      = 5
	NoSquare  = 31             // stands for no square; it has no neighbours
	Board     = 1<<Squares - 1 // the set of all squares
	perimeter = 0b11111_10001_10001_10001_11111
	notA      = 0b11110_11110_11110_11110_11110 // without column A, from which a shift to the west would wrap
	notE      = 0b01111_01111_01111_01111_01111 // without column E, likewise to the east
)

// near holds the neighbours of each square. It has 32 entries so that an index
// masked to five bits needs no bounds check.
var near = neighbours()

func neighbours() (table [32]uint32) {
	for s := range Squares {
		for t := range Squares {
			if s != t && abs(s/Side-t/Side) <= 1 && abs(s%Side-t%Side) <= 1 {
				table[s] |= 1 << t
			}
		}
	}
	return table
}

// Neighbours is the set of squares next to s; NoSquare has none.
func Neighbours(s int) uint32 { return near[s&31] }

func abs(x int) int { return max(x, -x) }

// Bit is the set of square s alone.
func Bit(s int) uint32 { return 1 << (uint(s) & 31) }

// lowest is the lowest square of a set that is not empty.
func lowest(set uint32) int { return bits.TrailingZeros32(set) }

func size(set uint32) int { return bits.OnesCount32(set) }

// SquareName is the name of square s, for example "A5".
func SquareName(s int) string {
	return string([]byte{'A' + byte(s%Side), '5' - byte(s/Side)})
}

// ParseSquare is the square of a name, NoSquare if name is not a square.
func ParseSquare(name string) int {
	if len(name) != 2 || name[0] < 'A' || name[0] > 'E' || name[1] < '1' || name[1] > '5' {
		return NoSquare
	}
	return int('5'-name[1])*Side + int(name[0]-'A')
}
