package policy

import "thera/engine/hex/rules"

// far is the distance of cells that are cut off.
const far = 10_000

// Distances computes two-distances: how many stones a colour needs to join its
// edges if the opponent always blocks the best neighbour. Cells next to the same
// chain of the colour are neighbours. (Van Rijswijck's Queenbee.) Sets of cells
// are words of bits, by cell.
type Distances struct {
	size    int
	words   int            // of a set
	Board   []rules.Colour // may be changed
	beside  [][]int16      // neighbours on the board
	near    []uint64       // the same as sets
	links   []uint64       // empty neighbours of each empty cell, chains folded
	empty   []uint64
	edge    [2][]uint64 // empty cells at the colour's edges, directly or by a chain
	dist    [2][]int
	chain   []int16  // of each stone of the colour, from 1
	chains  []folded // by number
	free    []uint64 // their empty neighbours
	stack   []int16  // scratch
	reached []uint64 // scratch
	added   []uint64 // scratch
	waiting []int16  // scratch
}

// folded says which of the colour's edges a chain touches.
type folded [2]bool

// NewDistances returns those of a size, on an empty board.
func NewDistances(size int) *Distances {
	n := size * size
	words := (n + 63) / 64
	m := &Distances{
		size: size, words: words, Board: make([]rules.Colour, n), beside: make([][]int16, n), near: make([]uint64, n*words),
		links: make([]uint64, n*words), empty: make([]uint64, words), chain: make([]int16, n),
		reached: make([]uint64, words), added: make([]uint64, words),
	}
	for i := range 2 {
		m.edge[i], m.dist[i] = make([]uint64, words), make([]int, n)
	}
	for cell := range n {
		rules.Neighbours(cell, size, func(other int) {
			m.beside[cell] = append(m.beside[cell], int16(other))
			m.near[cell*words+other>>6] |= 1 << (other & 63)
		})
	}
	return m
}

// Potential is the least sum of c's two-distances from both edges over the empty
// cells, 0 if c has joined the edges. mobility is the number of cells with it.
func (m *Distances) Potential(c rules.Colour) (least, mobility int) {
	if m.fold(c) {
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

// fold lists the neighbours of every empty cell for c and reports whether a chain
// of c joins its edges.
func (m *Distances) fold(c rules.Colour) (joined bool) {
	clear(m.empty)
	clear(m.chain)
	for cell, holds := range m.Board {
		if holds == rules.None {
			m.empty[cell>>6] |= 1 << (cell & 63)
		}
	}
	m.chains, m.free = append(m.chains[:0], folded{}), append(m.free[:0], make([]uint64, m.words)...)
	for cell, holds := range m.Board {
		if holds == c && m.chain[cell] == 0 {
			joined = m.gather(cell, c) || joined
		}
	}
	clear(m.edge[0])
	clear(m.edge[1])
	w := m.words
	for cell, holds := range m.Board {
		if holds != rules.None {
			continue
		}
		word, bit := cell>>6, uint64(1)<<(cell&63)
		links := m.links[cell*w : cell*w+w]
		for i := range links {
			links[i] = m.near[cell*w+i] & m.empty[i]
		}
		touches := folded{}
		touches[0], touches[1] = m.atEdges(cell, c)
		last := int16(0)
		for _, other := range m.beside[cell] {
			k := m.chain[other]
			if k == 0 || k == last {
				continue
			}
			last = k
			for i := range links {
				links[i] |= m.free[int(k)*w+i]
			}
			touches[0] = touches[0] || m.chains[k][0]
			touches[1] = touches[1] || m.chains[k][1]
		}
		links[word] &^= bit
		for i, is := range touches {
			if is {
				m.edge[i][word] |= bit
			}
		}
	}
	return joined
}

// gather numbers the chain of c with a stone on cell, notes what it touches, and
// reports whether that is both edges.
func (m *Distances) gather(cell int, c rules.Colour) (joined bool) {
	k, w := int16(len(m.chains)), m.words
	at := len(m.free)
	for range w {
		m.free = append(m.free, 0)
	}
	free := m.free[at:]
	touches := folded{}
	m.chain[cell] = k
	m.stack = append(m.stack[:0], int16(cell))
	for len(m.stack) > 0 {
		at := int(m.stack[len(m.stack)-1])
		m.stack = m.stack[:len(m.stack)-1]
		first, second := m.atEdges(at, c)
		touches[0], touches[1] = touches[0] || first, touches[1] || second
		for i := range free {
			free[i] |= m.near[at*w+i] & m.empty[i]
		}
		for _, other := range m.beside[at] {
			if m.Board[other] == c && m.chain[other] == 0 {
				m.chain[other] = k
				m.stack = append(m.stack, other)
			}
		}
	}
	m.chains = append(m.chains, touches)
	return touches[0] && touches[1]
}

// atEdges reports whether a cell lies at c's first and second edge.
func (m *Distances) atEdges(cell int, c rules.Colour) (first, second bool) {
	at := cell / m.size
	if c == rules.White {
		at = cell % m.size
	}
	return at == 0, at == m.size-1
}

// measure computes the distances from one edge: 1 next to it, else one more than
// the second least of the neighbours'.
func (m *Distances) measure(edge int) {
	dist, w, reached := m.dist[edge], m.words, m.reached
	copy(reached, m.edge[edge])
	m.waiting = m.waiting[:0]
	for cell := range dist {
		dist[cell] = far
		switch word, bit := cell>>6, uint64(1)<<(cell&63); {
		case m.edge[edge][word]&bit != 0:
			dist[cell] = 1
		case m.empty[word]&bit != 0:
			m.waiting = append(m.waiting, int16(cell))
		}
	}
	for d := 2; len(m.waiting) > 0; d++ {
		clear(m.added)
		left := m.waiting[:0]
		for _, cell := range m.waiting {
			one, two := uint64(0), uint64(0) // not 0 if there are so many
			for i, link := range m.links[int(cell)*w : int(cell)*w+w] {
				near := link & reached[i]
				two |= near & (near - 1)
				if one != 0 {
					two |= near
				}
				one |= near
			}
			if two == 0 {
				left = append(left, cell)
				continue
			}
			dist[cell] = d
			m.added[cell>>6] |= 1 << (cell & 63)
		}
		if len(left) == len(m.waiting) {
			return
		}
		m.waiting = left
		for i, set := range m.added {
			reached[i] |= set
		}
	}
}

// OnePly is the move of the two-distance bot: the cell after which the opponent's
// potential exceeds its own most. Mobility breaks ties.
func (m *Distances) OnePly(board []rules.Colour, turn rules.Colour) (cell int, ok bool) {
	copy(m.Board, board)
	best := -1 << 30
	for i, holds := range board {
		if holds != rules.None {
			continue
		}
		m.Board[i] = turn
		own, ways := m.Potential(turn)
		other, otherWays := m.Potential(turn.Other())
		m.Board[i] = rules.None
		value := (other-own)*1000 + ways - otherWays
		if own == 0 {
			value = 1 << 29
		}
		if value > best {
			best, cell, ok = value, i, true
		}
	}
	return cell, ok
}
