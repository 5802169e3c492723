package mill

import "math/bits"

// A point's number is its place in the position text: three rings of eight,
// inner, middle, outer, each clockwise from the top middle. Even numbers are
// the middles of sides, which the spokes join; odd ones are corners.
type point uint8

const (
	points = 24

	everyPoint = 0xFFFFFF // a set of points is a uint32, bit n for point n
	middles    = 0x555555
	corners    = 0xAAAAAA
	oneRing    = 0x0000FF
)

// names are the points in the order of the position text.
const names = "d5e5e4e3d3c3c4c5" + "d6f6f4f2d2b2b4b6" + "d7g7g4g1d1a1a4a7"

func (p point) String() string { return names[2*p : 2*p+2] }

func (p point) bit() uint32 { return 1 << p }

// lowest is the first point of a set that is not empty.
func lowest(set uint32) point { return point(bits.TrailingZeros32(set)) }

// numbers is the way back from a name: file a-g, rank 1-7.
var numbers = func() (table [7][7]int8) {
	for f := range table {
		for r := range table[f] {
			table[f][r] = -1
		}
	}
	for p := range points {
		table[names[2*p]-'a'][names[2*p+1]-'1'] = int8(p)
	}
	return table
}()

// pointNamed reads a name such as "d6".
func pointNamed(name string) (point, bool) {
	if len(name) != 2 {
		return 0, false
	}
	f, r := name[0]-'a', name[1]-'1'
	if f > 6 || r > 6 || numbers[f][r] < 0 {
		return 0, false
	}
	return point(numbers[f][r]), true
}

// turned and back shift all rings one point clockwise and anticlockwise.
func turned(set uint32) uint32 { return (set&0x7F7F7F)<<1 | (set>>7)&0x010101 }

func back(set uint32) uint32 { return (set>>1)&0x7F7F7F | (set&0x010101)<<7 }

// outward and inward shift a set one ring along the spokes.
func outward(set uint32) uint32 { return (set & 0x005555) << 8 }

func inward(set uint32) uint32 { return (set & 0x555500) >> 8 }

// around is the set of all neighbours of a set.
func around(set uint32) uint32 {
	return turned(set) | back(set) | outward(set) | inward(set)
}

// adjacent holds the neighbours of each point.
var adjacent = func() (table [points]uint32) {
	for p := range table {
		table[p] = around(1 << p)
	}
	return table
}()

// partners holds, for each point and each of the two mills through it, the
// two other points of the mill.
var partners = func() (table [points][2]uint32) {
	for p := range table {
		bit := uint32(1) << p
		if p%2 == 1 { // a corner: the sides on its left and right
			table[p] = [2]uint32{turned(bit) | turned(turned(bit)), back(bit) | back(back(bit))}
			continue
		}
		spoke := uint32(0x010101) << (p % 8)
		table[p] = [2]uint32{turned(bit) | back(bit), spoke &^ bit}
	}
	return table
}()

// closes reports whether a man on p completes a mill with men.
func closes(men uint32, p point) bool {
	t := &partners[p]
	return men&t[0] == t[0] || men&t[1] == t[1]
}

// milled is the set of those men that stand in a mill.
func milled(men uint32) uint32 {
	sides := men & turned(men) & back(men) & middles
	spokes := men & (men >> 8) & (men >> 16) & oneRing & middles
	return sides | turned(sides) | back(sides) | spokes*0x010101
}
