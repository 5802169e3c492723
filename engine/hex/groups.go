package hex

// colour is what a cell holds.
type colour uint8

const (
	none  colour = 0
	black colour = 1 // joins row a to the last row
	white colour = 2 // joins column 1 to the last column
)

func (c colour) other() colour { return 3 - c }

func (c colour) String() string {
	return [...]string{"nobody", "black", "white"}[c]
}

// stones are a board and its groups: a forest in which each stone points
// towards its group's root, the four edges being stones of their own. It knows
// at every stone whether somebody has won, without looking at the board.
type stones struct {
	size  int
	cells []colour
	group []uint16 // parent of each cell, then of the edges
}

const (
	edgeTop    = 0
	edgeBottom = 1
	edgeLeft   = 2
	edgeRight  = 3
)

func newStones(size int) stones {
	s := stones{size: size, cells: make([]colour, size*size), group: make([]uint16, size*size+4)}
	for i := range s.group {
		s.group[i] = uint16(i)
	}
	return s
}

// clone is a copy with a memory of its own.
func (s stones) clone() stones {
	cells, group := make([]colour, len(s.cells)), make([]uint16, len(s.group))
	copy(cells, s.cells)
	copy(group, s.group)
	return stones{s.size, cells, group}
}

func (s *stones) root(i int) uint16 {
	for int(s.group[i]) != i {
		s.group[i] = s.group[s.group[i]]
		i = int(s.group[i])
	}
	return uint16(i)
}

func (s *stones) join(a, b int) {
	s.group[s.root(a)] = s.root(b)
}

// put places a stone on an empty cell and says whether it wins.
func (s *stones) put(cell int, c colour) (wins bool) {
	s.cells[cell] = c
	size, edges := s.size, s.size*s.size
	row, column := cell/size, cell%size
	near := func(other int) {
		if s.cells[other] == c {
			s.join(cell, other)
		}
	}
	neighbours(cell, size, near)
	if c == black {
		if row == 0 {
			s.join(cell, edges+edgeTop)
		}
		if row == size-1 {
			s.join(cell, edges+edgeBottom)
		}
		return s.root(edges+edgeTop) == s.root(edges+edgeBottom)
	}
	if column == 0 {
		s.join(cell, edges+edgeLeft)
	}
	if column == size-1 {
		s.join(cell, edges+edgeRight)
	}
	return s.root(edges+edgeLeft) == s.root(edges+edgeRight)
}
