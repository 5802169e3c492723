package player

import (
	"slices"

	"thera/engine/hex/rules"
)

// far is the distance of cells that are cut off.
const far = 10_000

// distances computes two-distances: how many stones a colour needs to join its
// edges if the opponent always blocks the best neighbour. Cells next to the same
// chain of the colour are neighbours. (Van Rijswijck's Queenbee.)
type distances struct {
	size    int
	board   []rules.Colour
	lists   [][]int16 // neighbours of each empty cell, chains folded
	edge    [2][]bool // whether a cell touches the colour's edges, directly or by a chain
	dist    [2][]int
	mark    []int32 // the stamp of a cell's last visit
	stamp   int32
	chain   []int16
	waiting []int16
}

func newDistances(size int) *distances {
	n := size * size
	m := &distances{size: size, board: make([]rules.Colour, n), lists: make([][]int16, n), mark: make([]int32, n)}
	for i := range 2 {
		m.edge[i], m.dist[i] = make([]bool, n), make([]int, n)
	}
	return m
}

// potential is the least sum of c's two-distances from both edges over the empty
// cells, 0 if c has joined the edges. mobility is the number of cells with it.
func (m *distances) potential(c rules.Colour) (least, mobility int) {
	if m.fold(c) {
		return 0, 1
	}
	m.measure(0)
	m.measure(1)
	least = far
	for cell, holds := range m.board {
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

// fold lists the neighbours of every empty cell for c and reports whether a chain
// of c joins its edges.
func (m *distances) fold(c rules.Colour) (joined bool) {
	for cell, holds := range m.board {
		m.lists[cell] = m.lists[cell][:0]
		m.edge[0][cell], m.edge[1][cell] = false, false
		if holds != rules.None {
			continue
		}
		m.stamp++
		m.mark[cell] = m.stamp
		m.chain = append(m.chain[:0], int16(cell))
		for i := 0; i < len(m.chain); i++ {
			at := int(m.chain[i])
			a, b := m.atEdges(at, c)
			m.edge[0][cell] = m.edge[0][cell] || a
			m.edge[1][cell] = m.edge[1][cell] || b
			rules.Neighbours(at, m.size, func(other int) {
				if m.mark[other] == m.stamp || m.board[other] == c.Other() {
					return
				}
				m.mark[other] = m.stamp
				if m.board[other] == c {
					m.chain = append(m.chain, int16(other))
				} else {
					m.lists[cell] = append(m.lists[cell], int16(other))
				}
			})
		}
	}
	return m.joined(c)
}

// atEdges reports whether a cell lies at c's first and second edge.
func (m *distances) atEdges(cell int, c rules.Colour) (first, second bool) {
	at := cell / m.size
	if c == rules.White {
		at = cell % m.size
	}
	return at == 0, at == m.size-1
}

func (m *distances) joined(c rules.Colour) bool {
	m.stamp++
	m.chain = m.chain[:0]
	for cell, holds := range m.board {
		if first, _ := m.atEdges(cell, c); first && holds == c {
			m.mark[cell] = m.stamp
			m.chain = append(m.chain, int16(cell))
		}
	}
	for i := 0; i < len(m.chain); i++ {
		if _, second := m.atEdges(int(m.chain[i]), c); second {
			return true
		}
		rules.Neighbours(int(m.chain[i]), m.size, func(other int) {
			if m.board[other] == c && m.mark[other] != m.stamp {
				m.mark[other] = m.stamp
				m.chain = append(m.chain, int16(other))
			}
		})
	}
	return false
}

// measure computes the distances from one edge: 1 next to it, else one more than
// the second least of the neighbours'.
func (m *distances) measure(edge int) {
	dist := m.dist[edge]
	m.waiting = m.waiting[:0]
	for cell, holds := range m.board {
		dist[cell] = far
		if holds != rules.None {
			continue
		}
		if m.edge[edge][cell] {
			dist[cell] = 1
		} else {
			m.waiting = append(m.waiting, int16(cell))
		}
	}
	for d := 2; len(m.waiting) > 0; d++ {
		before := len(m.waiting)
		m.waiting = slices.DeleteFunc(m.waiting, func(cell int16) bool {
			near := 0
			for _, other := range m.lists[cell] {
				if dist[other] < d {
					near++
				}
			}
			if near < 2 {
				return false
			}
			dist[cell] = d
			return true
		})
		if len(m.waiting) == before {
			return
		}
	}
}

// onePly is the move of the two-distance bot: the cell after which the opponent's
// potential exceeds its own most. Mobility breaks ties.
func (m *distances) onePly(board []rules.Colour, turn rules.Colour) (cell int, ok bool) {
	copy(m.board, board)
	best := -1 << 30
	for i, holds := range board {
		if holds != rules.None {
			continue
		}
		m.board[i] = turn
		own, ways := m.potential(turn)
		other, otherWays := m.potential(turn.Other())
		m.board[i] = rules.None
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
