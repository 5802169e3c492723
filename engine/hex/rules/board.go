// Package rules has the board of Hex: cells and their coordinates, colours, and
// stones that know who has won.
package rules

// Colour is the content of a cell.
type Colour uint8

// The colours.
const (
	None  Colour = 0
	Black Colour = 1 // joins row a to the last row
	White Colour = 2 // joins column 1 to the last column
)

// Other is the opponent's colour.
func (c Colour) Other() Colour { return 3 - c }

func (c Colour) String() string {
	return [...]string{"nobody", "black", "white"}[c]
}

// Stones are a board and its groups, in a union-find structure in which the four
// edges count as stones.
type Stones struct {
	size  int
	Cells []Colour // read only
	group []uint16 // parent of each cell, then of the edges
}

const (
	edgeTop    = 0
	edgeBottom = 1
	edgeLeft   = 2
	edgeRight  = 3
)

// NewStones is an empty board of size x size cells.
func NewStones(size int) Stones {
	s := Stones{size: size, Cells: make([]Colour, size*size), group: make([]uint16, size*size+4)}
	for i := range s.group {
		s.group[i] = uint16(i)
	}
	return s
}

// Clone is a deep copy.
func (s Stones) Clone() Stones {
	cells, group := make([]Colour, len(s.Cells)), make([]uint16, len(s.group))
	copy(cells, s.Cells)
	copy(group, s.group)
	return Stones{s.size, cells, group}
}

func (s *Stones) root(i int) uint16 {
	for int(s.group[i]) != i {
		s.group[i] = s.group[s.group[i]]
		i = int(s.group[i])
	}
	return uint16(i)
}

func (s *Stones) join(a, b int) {
	s.group[s.root(a)] = s.root(b)
}

// Put places a stone on an empty cell and reports whether it wins.
func (s *Stones) Put(cell int, c Colour) (wins bool) {
	s.Cells[cell] = c
	size, edges := s.size, s.size*s.size
	row, column := cell/size, cell%size
	near := func(other int) {
		if s.Cells[other] == c {
			s.join(cell, other)
		}
	}
	Neighbours(cell, size, near)
	if c == Black {
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
