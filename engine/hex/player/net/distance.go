package net

import (
	"math/bits"

	"thera/engine/hex/rules"
)

// far is the distance of cells that are cut off.
const far = 10_000

// Distances computes two-distances: how many stones a colour needs to join its
// edges if the opponent always blocks the best neighbour. Cells next to the same
// chain of the colour are neighbours. (Van Rijswijck's Queenbee.) It works on all
// cells at once, as sets.
type Distances struct {
	size    int
	words   int            // of a set
	Board   []rules.Colour // may be changed
	near    []set          // neighbours of each cell
	left    set            // all cells but those of the last column
	right   set            // all but those of the first
	border  [2][2]set      // the cells at both edges, by colour
	empty   set
	edge    [2]set // empty cells at the colour's edges, directly or by a chain
	dist    [2][]int
	chains  []set    // the empty neighbours of each chain
	seen    set      // scratch
	stack   []int16  // scratch
	singles []single // scratch
}

// single is the free cells of the chains that have one cell of a set among them.
type single struct {
	cell int
	free set
}

// set is a set of cells, of at most 26 x 26, and an empty word.
type set [(26*26+63)/64 + 1]uint64

func (s *set) has(cell int) bool { return s[cell>>6]>>(cell&63)&1 != 0 }
func (s *set) add(cell int)      { s[cell>>6] |= 1 << (cell & 63) }

// NewDistances returns those of a size, on an empty board.
func NewDistances(size int) *Distances {
	n := size * size
	m := &Distances{size: size, words: (n + 63) / 64, Board: make([]rules.Colour, n), near: make([]set, n)}
	for cell := range n {
		rules.Neighbours(cell, size, func(other int) { m.near[cell].add(other) })
		row, column := cell/size, cell%size
		if column < size-1 {
			m.left.add(cell)
		}
		if column > 0 {
			m.right.add(cell)
		}
		for i, at := range [2]int{row, column} {
			if at == 0 {
				m.border[i][0].add(cell)
			}
			if at == size-1 {
				m.border[i][1].add(cell)
			}
		}
	}
	for i := range 2 {
		m.dist[i] = make([]int, n)
	}
	return m
}

// Potential is the least sum of c's two-distances from both edges over the empty
// cells, 0 if c has joined the edges. mobility is the number of cells with it.
func (m *Distances) Potential(c rules.Colour) (least, mobility int) {
	if m.gatherAll(c) {
		return 0, 1
	}
	m.measure(0)
	m.measure(1)
	least = far
	for cell, holds := range m.Board {
		if holds != rules.None {
			continue
		}
		sum := m.dist[0][cell] + m.dist[1][cell]
		switch {
		case sum < least:
			least, mobility = sum, 1
		case sum == least && least < far:
			mobility++
		}
	}
	return least, mobility
}

// Sum is the sum of the two-distances of a cell for the colour of the last potential.
func (m *Distances) Sum(cell int) int { return m.dist[0][cell] + m.dist[1][cell] }

// gatherAll finds the chains of c and the empty cells at its edges, and reports whether a
// chain joins them.
func (m *Distances) gatherAll(c rules.Colour) (joined bool) {
	border := &m.border[c-rules.Black]
	m.empty, m.seen, m.chains = set{}, set{}, m.chains[:0]
	for cell, holds := range m.Board {
		if holds == rules.None {
			m.empty.add(cell)
		}
	}
	for w := range m.words {
		m.edge[0][w], m.edge[1][w] = m.empty[w]&border[0][w], m.empty[w]&border[1][w]
	}
	for cell, holds := range m.Board {
		if holds == c && !m.seen.has(cell) {
			joined = m.gather(cell, c) || joined
		}
	}
	return joined
}

// gather collects the chain of c with a stone on cell and reports whether it joins both
// edges.
func (m *Distances) gather(cell int, c rules.Colour) (joined bool) {
	var free set
	touches := [2]bool{}
	border := &m.border[c-rules.Black]
	m.seen.add(cell)
	m.stack = append(m.stack[:0], int16(cell))
	for len(m.stack) > 0 {
		at := int(m.stack[len(m.stack)-1])
		m.stack = m.stack[:len(m.stack)-1]
		for i := range touches {
			touches[i] = touches[i] || border[i].has(at)
		}
		near := &m.near[at]
		for w := range m.words {
			free[w] |= near[w] & m.empty[w]
			for more := near[w] &^ m.empty[w] &^ m.seen[w]; more != 0; more &= more - 1 {
				other := w<<6 + bits.TrailingZeros64(more)
				if m.Board[other] == c {
					m.seen.add(other)
					m.stack = append(m.stack, int16(other))
				}
			}
		}
	}
	m.chains = append(m.chains, free)
	for i, is := range touches {
		if is {
			for w := range m.words {
				m.edge[i][w] |= free[w]
			}
		}
	}
	return touches[0] && touches[1]
}

// measure computes the distances from one edge: 1 next to it, else one more than
// the second least of the neighbours'.
func (m *Distances) measure(edge int) {
	dist := m.dist[edge]
	for cell := range dist {
		dist[cell] = far
	}
	reached := m.edge[edge]
	added := reached
	for d := 1; ; d++ {
		some := uint64(0)
		for w := range m.words {
			some |= added[w]
			for set := added[w]; set != 0; set &= set - 1 {
				dist[w<<6+bits.TrailingZeros64(set)] = d
			}
		}
		if some == 0 {
			return
		}
		twice := m.twice(&reached)
		for w := range m.words {
			added[w] = twice[w] & m.empty[w] &^ reached[w]
			reached[w] |= added[w]
		}
	}
}

// twice is the cells, and others, that have two neighbours or more in a set of empty cells.
func (m *Distances) twice(of *set) (two set) {
	var one set
	up, across := uint(m.size)&63, uint(m.size-1)&63 // the masks spare the program to test for more than 63
	before, beforeLeft, beforeRight := uint64(0), uint64(0), uint64(0)
	all, left, right := of[0], of[0]&m.left[0], of[0]&m.right[0]
	for w := range m.words {
		after := of[w+1]
		afterLeft, afterRight := after&m.left[w+1], after&m.right[w+1]
		a, b := left<<1|beforeLeft>>63, right>>1|afterRight<<63
		c, d := all<<up|before>>(64-up&63), all>>up|after<<(64-up&63)
		e, f := right<<across|beforeRight>>(64-across&63), left>>across|afterLeft<<(64-across&63)
		one[w] = a | b | c | d
		two[w] = a&b | c&d | e&f | (a|b)&(c|d) | one[w]&(e|f)
		one[w] |= e | f
		before, beforeLeft, beforeRight = all, left, right
		all, left, right = after, afterLeft, afterRight
	}
	// A chain makes neighbours of all its free cells. One cell of the set beside several
	// chains, or beside a cell itself, is one neighbour.
	singles := m.singles[:0]
	for k := range m.chains {
		free := &m.chains[k]
		first, more := -1, false
		for w := range m.words {
			if both := free[w] & of[w]; both != 0 {
				more = more || first >= 0 || both&(both-1) != 0
				first = w<<6 + bits.TrailingZeros64(both)
			}
		}
		switch {
		case more:
			for w := range m.words {
				two[w] |= free[w]
			}
		case first >= 0:
			at := 0
			for at < len(singles) && singles[at].cell != first {
				at++
			}
			if at == len(singles) {
				singles = append(singles, single{cell: first})
			}
			for w := range m.words {
				singles[at].free[w] |= free[w]
			}
		}
	}
	m.singles = singles
	for i := range singles {
		near := &m.near[singles[i].cell]
		for w := range m.words {
			x := singles[i].free[w] &^ near[w]
			two[w] |= one[w] & x
			one[w] |= x
		}
	}
	return two
}

// OnePly is the move of the two-distance bot: the cell after which the opponent's
// potential exceeds its most. Mobility breaks ties.
func (m *Distances) OnePly(board []rules.Colour, turn rules.Colour) (cell int, ok bool) {
	copy(m.Board, board)
	best := -1 << 30
	for i, holds := range board {
		if holds != rules.None {
			continue
		}
		m.Board[i] = turn
		mine, ways := m.Potential(turn)
		other, otherWays := m.Potential(turn.Other())
		m.Board[i] = rules.None
		value := (other-mine)*1000 + ways - otherWays
		if mine == 0 {
			value = 1 << 29
		}
		if value > best {
			best, cell, ok = value, i, true
		}
	}
	return cell, ok
}
