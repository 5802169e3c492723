package mill

import "math/bits"

// Endgame tables number positions without men in hand as (mover's men, the
// other's men). Of the sixteen images of a position one is kept: the mover's
// men are one of the representatives of their orbit, and of the images that
// leave those men as they are the one with the lowest number.

// maxTableMen is the most men a side has in a table.
const maxTableMen = 6

// ranking numbers the sets of k men, and their orbits.
type ranking struct {
	men     int
	sets    []uint32 // by number
	orbit   []int32  // of each set
	into    []uint8  // the symmetry that moves each set to its orbit's representative
	reps    []uint32 // by orbit
	fixedBy [][]int  // by orbit: the symmetries, but the identity, that leave its representative as it is
}

// choose is the binomial coefficient for n up to 24 and k up to maxTableMen.
func choose(n, k int) int {
	c := 1
	for i := range k {
		c = c * (n - i) / (i + 1)
	}
	return c
}

// binomials[k][n] is choose(n, k).
var binomials = func() (t [maxTableMen + 1][points + 1]int32) {
	for k := range t {
		for n := range t[k] {
			t[k][n] = int32(choose(n, k))
		}
	}
	return t
}()

// rank is the number of a set among those of as many men.
func rank(set uint32) int {
	n := int32(0)
	for k := 1; set != 0; k++ {
		n += binomials[k][bits.TrailingZeros32(set)]
		set &= set - 1
	}
	return int(n)
}

func newRanking(men int) *ranking {
	n := choose(points, men)
	r := &ranking{men: men, sets: make([]uint32, n), orbit: make([]int32, n), into: make([]uint8, n)}
	for set := uint32(1)<<men - 1; set <= everyPoint; {
		r.sets[rank(set)] = set
		low := set & -set // the next larger set of as many men
		high := set + low
		set = high | (set^high)>>2/low
	}
	for i := range r.orbit {
		r.orbit[i] = -1
	}
	for i, set := range r.sets {
		if r.orbit[i] >= 0 {
			continue
		}
		id := int32(len(r.reps))
		r.reps = append(r.reps, set)
		r.orbit[i], r.into[i] = id, 0
		var fixed []int
		for s := 1; s < symmetries; s++ {
			at := rank(image(s, set))
			if at == i {
				fixed = append(fixed, s)
			} else if r.orbit[at] < 0 {
				r.orbit[at], r.into[at] = id, uint8(inverse(s))
			}
		}
		r.fixedBy = append(r.fixedBy, fixed)
	}
	return r
}

// inverse is the symmetry that undoes s.
func inverse(s int) int {
	for i := range symmetries {
		undone := true
		for p := range point(points) {
			undone = undone && moved(i, moved(s, p)) == p
		}
		if undone {
			return i
		}
	}
	panic("mill: a symmetry without inverse")
}

// space is all positions of one number of men a side, mover first, with their
// values.
type space struct {
	mover, other *ranking
	values       []value
}

func newSpace(mover, other *ranking) *space {
	return &space{mover: mover, other: other}
}

// size is the number of entries. Those in which two men share a point, and
// those of images that are not kept, stay unknown.
func (s *space) size() int { return len(s.mover.reps) * len(s.other.sets) }

// index is the entry of a position.
func (s *space) index(men, other uint32) int {
	at := rank(men)
	orbit := s.mover.orbit[at]
	other = image(int(s.mover.into[at]), other)
	n := rank(other)
	for _, f := range s.mover.fixedBy[orbit] {
		n = min(n, rank(image(f, other)))
	}
	return int(orbit)*len(s.other.sets) + n
}

// position is the entry's men; ok is false where it holds no position.
func (s *space) position(index int) (men, other uint32, ok bool) {
	orbit, n := index/len(s.other.sets), index%len(s.other.sets)
	men, other = s.mover.reps[orbit], s.other.sets[n]
	return men, other, men&other == 0 && s.index(men, other) == index
}

// value is what a table knows of a position: 0 is a draw; else one more than
// the number of turns to the end, which the mover wins if that number is odd.
// A removal belongs to its turn.
type value uint8

// maxTurns is the longest win that a value can hold.
const maxTurns = 254

func after(turns int) value { return value(turns + 1) }

func (v value) turns() int { return int(v) - 1 }

func (v value) won() bool { return v != 0 && v&1 == 0 }

func (v value) lost() bool { return v&1 == 1 }
