package rules

import "math/bits"

// Point is the number of a point: its place in the position text. There are
// three rings of eight, inner, middle and outer, each clockwise from the top
// middle. Even numbers are middles of sides, which the spokes join; odd numbers
// are corners.
type Point uint8

// Points is the number of points of the board.
const Points = 24

// Set is a set of points: bit n is point n.
type Set uint32

const (
	// AllPoints is the set of all points.
	AllPoints Set = 0xFFFFFF

	middles   Set = 0x555555
	corners   Set = 0xAAAAAA
	innerRing Set = 0x0000FF
)

// names holds the points in the order of the position text.
const names = "d5e5e4e3d3c3c4c5" + "d6f6f4f2d2b2b4b6" + "d7g7g4g1d1a1a4a7"

// String returns a name such as "d6".
func (p Point) String() string { return names[2*p : 2*p+2] }

// Set returns the set of p alone.
func (p Point) Set() Set { return 1 << p }

// numbers maps a name, file a-g and rank 1-7, to its point, or to -1.
var numbers = func() (table [7][7]int8) {
	for f := range table {
		for r := range table[f] {
			table[f][r] = -1
		}
	}
	for p := range Points {
		table[names[2*p]-'a'][names[2*p+1]-'1'] = int8(p)
	}
	return table
}()

// parsePoint reads a name such as "d6".
func parsePoint(name string) (Point, bool) {
	if len(name) != 2 {
		return 0, false
	}
	f, r := name[0]-'a', name[1]-'1'
	if f > 6 || r > 6 || numbers[f][r] < 0 {
		return 0, false
	}
	return Point(numbers[f][r]), true
}

// Len returns the number of points in s.
func (s Set) Len() int { return bits.OnesCount32(uint32(s)) }

// First returns the lowest point of s, which must not be empty.
func (s Set) First() Point { return Point(bits.TrailingZeros32(uint32(s))) }

// Clockwise returns s with all rings turned by one point.
func (s Set) Clockwise() Set { return (s&0x7F7F7F)<<1 | (s>>7)&0x010101 }

// Anticlockwise returns s with all rings turned back by one point.
func (s Set) Anticlockwise() Set { return (s>>1)&0x7F7F7F | (s&0x010101)<<7 }

// Outward returns s moved one ring outward along the spokes. Points without a
// spoke or a further ring drop out.
func (s Set) Outward() Set { return (s & 0x005555) << 8 }

// Inward returns s moved one ring inward along the spokes.
func (s Set) Inward() Set { return (s & 0x555500) >> 8 }

// Neighbours returns all neighbours of points of s.
func (s Set) Neighbours() Set {
	return s.Clockwise() | s.Anticlockwise() | s.Outward() | s.Inward()
}

// Slides counts the slides of men to empty points, but two along spokes to one point as
// one.
func (s Set) Slides(empty Set) int {
	return (s.Clockwise() & empty).Len() + (s.Anticlockwise() & empty).Len() + ((s.Outward() | s.Inward()) & empty).Len()
}

var neighbours = func() (table [Points]Set) {
	for p := range table {
		table[p] = Set(1 << p).Neighbours()
	}
	return table
}()

// Neighbours returns the points that a man on p slides to.
func (p Point) Neighbours() Set { return neighbours[p] }

// partners holds the two mills through each point, without the point itself.
var partners = func() (table [Points][2]Set) {
	for p := range table {
		one := Set(1) << p
		next, last := one.Clockwise(), one.Anticlockwise()
		if p%2 == 1 { // a corner belongs to two sides
			table[p] = [2]Set{next | next.Clockwise(), last | last.Anticlockwise()}
			continue
		}
		spoke := Set(0x010101) << (p % 8)
		table[p] = [2]Set{next | last, spoke &^ one}
	}
	return table
}()

// Partners returns the two other points of each of the two mills through p.
func (p Point) Partners() (a, b Set) { return partners[p][0], partners[p][1] }

// Closes reports whether a man on p completes a mill with the men s.
func (s Set) Closes(p Point) bool {
	a, b := p.Partners()
	return s&a == a || s&b == b
}

// Milled returns the men of s that stand in a mill.
func (s Set) Milled() Set {
	sides := s & s.Clockwise() & s.Anticlockwise() & middles
	spokes := s & (s >> 8) & (s >> 16) & innerRing & middles
	return sides | sides.Clockwise() | sides.Anticlockwise() | spokes*0x010101
}

// Closing returns the points, occupied or not, on which a further man would
// complete a mill with the men s.
func (s Set) Closing() Set {
	c, a := s.Clockwise(), s.Anticlockwise()
	set := c&a&middles | (c&c.Clockwise()|a&a.Anticlockwise())&corners
	inner, middle, outer := s&0x55, s>>8&0x55, s>>16&0x55
	return set | middle&outer | (inner&outer)<<8 | (inner&middle)<<16
}
