package rules

import "fmt"

// Bounds of what a maze may be.
const (
	MaxSide = 128  // width and height
	MaxMud  = 1000 // value of a mud passage
)

// Cell is a cell of a maze, y*Width + x. The rat's corner, (0,0), is bottom
// left.
type Cell int16

// passage joins two neighbouring cells, in the order in which it was written.
type passage struct {
	a, b Cell
	mud  int16 // 0 for a wall
}

// Maze is a board without cheese and players. It does not change once it is
// complete.
type Maze struct {
	Width, Height int
	walls, muds   []passage // as written, for printing
	next          []Cell    // by cell*NumMoves+move: the cell reached, -1 where nothing moves
	mud           []int16   // likewise: the mud's value, 0 for a clear step
}

// newMaze returns a maze without walls.
func newMaze(width, height int) (*Maze, error) {
	for _, side := range []struct {
		name  string
		value int
	}{{"height", height}, {"width", width}} {
		if side.value < 2 || side.value > MaxSide {
			return nil, fmt.Errorf("%s %d: want 2 to %d", side.name, side.value, MaxSide)
		}
	}
	m := &Maze{Width: width, Height: height}
	m.next = make([]Cell, m.Cells()*NumMoves)
	m.mud = make([]int16, m.Cells()*NumMoves)
	for y := range height {
		for x := range width {
			for move, step := range steps {
				at := way(m.cell(x, y), Move(move))
				m.next[at] = -1
				if nx, ny := x+step[0], y+step[1]; Move(move) != Stay && m.has(nx, ny) {
					m.next[at] = m.cell(nx, ny)
				}
			}
		}
	}
	return m, nil
}

// Cells returns the number of cells.
func (m *Maze) Cells() int { return m.Width * m.Height }

// way is the index of a move from a cell in next and mud.
func way(from Cell, move Move) int { return int(from)*NumMoves + int(move) }

// Next returns the cell that a move leads to and the value of the mud on the
// way, 0 for none. The cell is -1 where the player stays in place.
func (m *Maze) Next(from Cell, move Move) (to Cell, mud int16) {
	at := way(from, move)
	return m.next[at], m.mud[at]
}

func (m *Maze) has(x, y int) bool { return x >= 0 && x < m.Width && y >= 0 && y < m.Height }

func (m *Maze) cell(x, y int) Cell { return Cell(y*m.Width + x) }

// XY returns the column and the row of a cell.
func (m *Maze) XY(c Cell) (x, y int) { return int(c) % m.Width, int(c) / m.Width }

// Passages yields each wall, with mud 0, and each passage with mud that is not behind a wall.
func (m *Maze) Passages(yield func(between [2]Cell, mud int) bool) {
	for _, list := range [][]passage{m.walls, m.muds} {
		for _, p := range list {
			move, _ := m.moveTo(p.a, p.b)
			if walled := m.next[way(p.a, move)] < 0; walled == (p.mud == 0) && !yield([2]Cell{p.a, p.b}, int(p.mud)) {
				return
			}
		}
	}
}

// CellName returns the cell as the protocol writes it, such as (3,0).
func (m *Maze) CellName(c Cell) string { return string(m.appendCell(nil, c)) }

// moveTo returns the move from a to b, ok if they are neighbours.
func (m *Maze) moveTo(a, b Cell) (move Move, ok bool) {
	ax, ay := m.XY(a)
	bx, by := m.XY(b)
	for move, s := range steps {
		if Move(move) != Stay && ax+s[0] == bx && ay+s[1] == by {
			return Move(move), true
		}
	}
	return 0, false
}

// addWall closes the way between two neighbours. A wall given twice is one.
func (m *Maze) addWall(a, b Cell) error {
	move, ok := m.moveTo(a, b)
	if !ok {
		return fmt.Errorf("wall %s-%s: these cells are not neighbours", m.CellName(a), m.CellName(b))
	}
	if m.next[way(a, move)] < 0 {
		return nil
	}
	m.next[way(a, move)] = -1
	m.next[way(b, move.Opposite())] = -1
	m.walls = append(m.walls, passage{a: a, b: b})
	return nil
}

// addMud puts mud of value n between two neighbours. Behind a wall it has no
// effect.
func (m *Maze) addMud(a, b Cell, n int) error {
	move, ok := m.moveTo(a, b)
	if !ok {
		return fmt.Errorf("mud %s-%s: these cells are not neighbours", m.CellName(a), m.CellName(b))
	}
	if n < 2 || n > MaxMud {
		return fmt.Errorf("mud %s-%s:%d: want 2 to %d", m.CellName(a), m.CellName(b), n, MaxMud)
	}
	at := &m.mud[way(a, move)]
	if *at != 0 {
		if *at != int16(n) {
			return fmt.Errorf("mud %s-%s:%d: it already has the value %d", m.CellName(a), m.CellName(b), n, *at)
		}
		return nil
	}
	*at = int16(n)
	m.mud[way(b, move.Opposite())] = int16(n)
	m.muds = append(m.muds, passage{a, b, int16(n)})
	return nil
}

// reachable marks all cells that can be reached from the given ones.
func (m *Maze) reachable(from ...Cell) []bool {
	seen := make([]bool, m.Cells())
	stack := append([]Cell(nil), from...)
	for _, c := range from {
		seen[c] = true
	}
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, n := range m.next[way(c, 0):way(c+1, 0)] {
			if n >= 0 && !seen[n] {
				seen[n] = true
				stack = append(stack, n)
			}
		}
	}
	return seen
}
