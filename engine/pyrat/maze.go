package pyrat

import "fmt"

// maxSide is the largest width or height of a board.
const maxSide = 128

// maxMud is the largest value of a mud passage.
const maxMud = 1000

// The moves, in the order of their letters.
const (
	down = iota
	left
	right
	stay
	up
	moves // how many there are
)

const letters = "DLRSU"

// words are the moves as the protocol spells them.
var words = [moves]string{"DOWN", "LEFT", "RIGHT", "STAY", "UP"}

// steps are the moves as (dx, dy); (0,0) is bottom left, up is y+1.
var steps = [moves][2]int{{0, -1}, {-1, 0}, {1, 0}, {0, 0}, {0, 1}}

// opposite undoes a move.
func opposite(m int) int { return [moves]int{up, right, left, stay, down}[m] }

// passage joins two neighbouring cells, in the order in which it was written.
type passage struct {
	a, b int16
	mud  int16 // 0 for a wall
}

// maze is a board without cheese and players: it never changes.
type maze struct {
	width, height int
	walls, muds   []passage // as written, for printing
	next          []int16   // by cell*moves+move: the cell reached, -1 where nothing moves
	mud           []int16   // likewise: the mud's value, 0 for a clear step
}

// newMaze is a board without walls.
func newMaze(width, height int) (*maze, error) {
	for _, side := range []struct {
		name  string
		value int
	}{{"height", height}, {"width", width}} {
		if side.value < 2 || side.value > maxSide {
			return nil, fmt.Errorf("%s %d: want 2 to %d", side.name, side.value, maxSide)
		}
	}
	m := &maze{width: width, height: height}
	m.next = make([]int16, m.cells()*moves)
	m.mud = make([]int16, m.cells()*moves)
	for y := range height {
		for x := range width {
			for move, step := range steps {
				at := m.cell(x, y)*moves + int16(move)
				m.next[at] = -1
				if nx, ny := x+step[0], y+step[1]; move != stay && m.has(nx, ny) {
					m.next[at] = m.cell(nx, ny)
				}
			}
		}
	}
	return m, nil
}

func (m *maze) cells() int { return m.width * m.height }

func (m *maze) has(x, y int) bool { return x >= 0 && x < m.width && y >= 0 && y < m.height }

func (m *maze) cell(x, y int) int16 { return int16(y*m.width + x) }

func (m *maze) xy(cell int16) (x, y int) { return int(cell) % m.width, int(cell) / m.width }

// name is the cell as the protocol writes it.
func (m *maze) name(cell int16) string {
	x, y := m.xy(cell)
	return fmt.Sprintf("(%d,%d)", x, y)
}

// step is the move from a to b, ok if they are neighbours.
func (m *maze) step(a, b int16) (move int, ok bool) {
	ax, ay := m.xy(a)
	bx, by := m.xy(b)
	for move, s := range steps {
		if move != stay && ax+s[0] == bx && ay+s[1] == by {
			return move, true
		}
	}
	return 0, false
}

// wall closes the way between two neighbours; a wall given twice is one.
func (m *maze) wall(a, b int16) error {
	move, ok := m.step(a, b)
	if !ok {
		return fmt.Errorf("wall %s-%s: these cells are no neighbours", m.name(a), m.name(b))
	}
	if m.next[int(a)*moves+move] < 0 {
		return nil
	}
	m.next[int(a)*moves+move] = -1
	m.next[int(b)*moves+opposite(move)] = -1
	m.walls = append(m.walls, passage{a: a, b: b})
	return nil
}

// spread puts mud between two neighbours. Behind a wall it has no effect.
func (m *maze) spread(a, b int16, n int) error {
	move, ok := m.step(a, b)
	if !ok {
		return fmt.Errorf("mud %s-%s: these cells are no neighbours", m.name(a), m.name(b))
	}
	if n < 2 || n > maxMud {
		return fmt.Errorf("mud %s-%s:%d: want 2 to %d", m.name(a), m.name(b), n, maxMud)
	}
	at := &m.mud[int(a)*moves+move]
	if *at != 0 {
		if *at != int16(n) {
			return fmt.Errorf("mud %s-%s:%d: it already has the value %d", m.name(a), m.name(b), n, *at)
		}
		return nil
	}
	*at = int16(n)
	m.mud[int(b)*moves+opposite(move)] = int16(n)
	m.muds = append(m.muds, passage{a, b, int16(n)})
	return nil
}

// reached marks all cells that can be reached from the given ones.
func (m *maze) reached(from ...int16) []bool {
	seen := make([]bool, m.cells())
	stack := append([]int16(nil), from...)
	for _, c := range from {
		seen[c] = true
	}
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, n := range m.next[int(c)*moves : int(c)*moves+moves] {
			if n >= 0 && !seen[n] {
				seen[n] = true
				stack = append(stack, n)
			}
		}
	}
	return seen
}
