package hex

import "slices"

// far stands for no distance at all.
const far = 10_000

// meter measures two-distances: how many stones a colour still needs to join
// its edges when, of any two ways on, the opponent always takes the better.
// Cells that touch the same chain of the colour are neighbours.
type meter struct {
	size    int
	board   []colour
	lists   [][]int16 // neighbours of each empty cell, chains folded
	edge    [2][]bool // which cells touch the colour's edges, directly or by a chain
	dist    [2][]int
	mark    []int32 // scratch: when a cell was last seen
	stamp   int32
	chain   []int16
	waiting []int16
}

func newMeter(size int) *meter {
	n := size * size
	m := &meter{size: size, board: make([]colour, n), lists: make([][]int16, n), mark: make([]int32, n)}
	for i := range 2 {
		m.edge[i], m.dist[i] = make([]bool, n), make([]int, n)
	}
	return m
}

// potential is the least sum of c's two-distances from both edges over the
// empty cells, 0 when c has joined them, and how many cells have it.
func (m *meter) potential(c colour) (least, mobility int) {
	if m.fold(c) {
		return 0, 1
	}
	m.measure(0)
	m.measure(1)
	least = far
	for cell, holds := range m.board {
		if holds != none {
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

// fold lists the neighbours of every empty cell as c sees them, and says
// whether a chain joins both edges.
func (m *meter) fold(c colour) (joined bool) {
	for cell, holds := range m.board {
		m.lists[cell] = m.lists[cell][:0]
		m.edge[0][cell], m.edge[1][cell] = false, false
		if holds != none {
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
			neighbours(at, m.size, func(other int) {
				if m.mark[other] == m.stamp || m.board[other] == c.other() {
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

// atEdges says whether a cell lies at c's first and second edge.
func (m *meter) atEdges(cell int, c colour) (first, second bool) {
	at := cell / m.size
	if c == white {
		at = cell % m.size
	}
	return at == 0, at == m.size-1
}

func (m *meter) joined(c colour) bool {
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
		neighbours(int(m.chain[i]), m.size, func(other int) {
			if m.board[other] == c && m.mark[other] != m.stamp {
				m.mark[other] = m.stamp
				m.chain = append(m.chain, int16(other))
			}
		})
	}
	return false
}

// measure fills the distances from one edge: 1 beside it, else one more than
// the second best neighbour's.
func (m *meter) measure(edge int) {
	dist := m.dist[edge]
	m.waiting = m.waiting[:0]
	for cell, holds := range m.board {
		dist[cell] = far
		if holds != none {
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

// onePly is the shipped two-distance bot's choice: the cell after which the
// opponent's potential is furthest above its own, more ways breaking ties.
func (m *meter) onePly(board []colour, turn colour) (cell int, ok bool) {
	copy(m.board, board)
	best := -1 << 30
	for i, holds := range board {
		if holds != none {
			continue
		}
		m.board[i] = turn
		own, ways := m.potential(turn)
		other, otherWays := m.potential(turn.other())
		m.board[i] = none
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
