package connect

import "math/bits"

// Set is a set of cells of a board of at most MaxSize cells a side.
type Set [3]uint64

// MaxSize is the largest size whose cells fit in a Set.
const MaxSize = 13

// Has reports whether a cell is in the set.
func (s *Set) Has(cell int) bool { return s[cell>>6]>>(cell&63)&1 != 0 }

// Add adds a cell.
func (s *Set) Add(cell int) { s[cell>>6] |= 1 << (cell & 63) }

// Count is the number of cells.
func (s *Set) Count() int {
	return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) + bits.OnesCount64(s[2])
}

func (s *Set) empty() bool        { return s[0]|s[1]|s[2] == 0 }
func (s *Set) apart(t *Set) bool  { return s[0]&t[0]|s[1]&t[1]|s[2]&t[2] == 0 }
func (s *Set) within(t *Set) bool { return s[0]&^t[0]|s[1]&^t[1]|s[2]&^t[2] == 0 }
func (s *Set) join(t *Set) Set    { return Set{s[0] | t[0], s[1] | t[1], s[2] | t[2]} }
func (s *Set) common(t *Set) Set  { return Set{s[0] & t[0], s[1] & t[1], s[2] & t[2]} }
