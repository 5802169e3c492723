package tables

import "thera/engine/mill/rules"

// A position is indexed by the mover's men, then by the opponent's. A table holds one of the
// position's sixteen images. In that image the mover's men are the representative of their
// orbit, and of all such images it is the one in which the opponent's men have the lowest
// rank.

// The smallest and the largest number of men of a side in a table.
const (
	minMen = 3
	maxMen = 9
)

// ranking numbers the sets of that many men, and their orbits under symmetry.
type ranking struct {
	men     int
	sets    []rules.Set // by rank
	orbit   []int32     // by rank
	into    []uint8     // by rank: the symmetry that maps the set to its orbit's representative
	reps    []rules.Set // by orbit: the representative
	fixedBy [][]int     // by orbit: the symmetries other than the identity that map the representative to itself
}

// choose returns the binomial coefficient for n up to 24 and k up to maxMen.
func choose(n, k int) int {
	c := 1
	for i := range k {
		c = c * (n - i) / (i + 1)
	}
	return c
}

// binomials[k][n] is choose(n, k).
var binomials = func() (t [maxMen + 1][rules.Points + 1]int32) {
	for k := range t {
		for n := range t[k] {
			t[k][n] = int32(choose(n, k))
		}
	}
	return t
}()

// rank returns the rank of a set among the sets of its size.
func rank(set rules.Set) int {
	n := int32(0)
	for k := 1; set != 0; k++ {
		n += binomials[k][set.First()]
		set &= set - 1
	}
	return int(n)
}

func newRanking(men int) *ranking {
	n := choose(rules.Points, men)
	r := &ranking{men: men, sets: make([]rules.Set, n), orbit: make([]int32, n), into: make([]uint8, n)}
	for set := rules.Set(1)<<men - 1; set <= rules.AllPoints; {
		r.sets[rank(set)] = set
		low := set & -set // Gosper: the next larger set of the same size
		high := set + low
		set = high | (set^high)>>2/low
	}
	undo := inverses()
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
		for s := 1; s < rules.Symmetries; s++ {
			at := rank(set.Image(s))
			if at == i {
				fixed = append(fixed, s)
			} else if r.orbit[at] < 0 {
				r.orbit[at], r.into[at] = id, uint8(undo[s])
			}
		}
		r.fixedBy = append(r.fixedBy, fixed)
	}
	return r
}

// inverses has the symmetry that undoes each one.
func inverses() (t [rules.Symmetries]int) {
	const one = rules.Set(1<<0 | 1<<1 | 1<<11) // only the identity maps these men to themselves
	for s := range t {
		for one.Image(s).Image(t[s]) != one {
			t[s]++
		}
	}
	return t
}

// space holds the values of all positions with given numbers of men of the mover and of the
// opponent.
type space struct {
	mover, other *ranking
	values       []byte // a Value each
}

// size returns the number of entries. Entries in which two men share a point, and entries of
// images that are not kept, are unused.
func (s *space) size() int { return len(s.mover.reps) * len(s.other.sets) }

// at returns the value of a position.
func (s *space) at(men, other rules.Set) Value { return Value(s.values[s.index(men, other)]) }

// index returns the entry of a position.
func (s *space) index(men, other rules.Set) int {
	at := rank(men)
	orbit := s.mover.orbit[at]
	other = other.Image(int(s.mover.into[at]))
	n := rank(other)
	for _, f := range s.mover.fixedBy[orbit] {
		n = min(n, rank(other.Image(f)))
	}
	return int(orbit)*len(s.other.sets) + n
}

// position returns the men of an entry; ok is false if the entry is unused.
func (s *space) position(index int) (men, other rules.Set, ok bool) {
	orbit, n := index/len(s.other.sets), index%len(s.other.sets)
	men, other = s.mover.reps[orbit], s.other.sets[n]
	return men, other, men&other == 0 && s.index(men, other) == index
}

// Value is the result of a position for the side to move: 0 for a draw, otherwise the number
// of turns to the end plus one. The mover wins if the number of turns is odd. A removal
// belongs to the turn that closed the mill.
type Value uint8

// maxTurns is the longest win that a Value can hold.
const maxTurns = 254

// after returns the value of a position that ends after n turns.
func after(turns int) Value { return Value(turns + 1) }

// Turns returns the number of turns to the end of a position that is not a draw.
func (v Value) Turns() int { return int(v) - 1 }

// Won reports whether the side to move wins.
func (v Value) Won() bool { return v != 0 && v&1 == 0 }

// Lost reports whether the side to move loses.
func (v Value) Lost() bool { return v&1 == 1 }
