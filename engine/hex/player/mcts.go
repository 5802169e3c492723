package player

import (
	"context"
	"math"
	"time"

	"thera/engine/hex/rules"
)

// Monte Carlo tree search with RAVE, which is its only exploration, and playouts
// that keep bridges. Proven wins and losses are backed up as in MCTS-Solver.
const (
	raveBias    = 0.00025 // four times the squared bias of the RAVE value
	expandAfter = 4       // visits before a leaf gets children
)

// node is a node of the tree. Its numbers are for the side that moved into it.
type node struct {
	visits, rave   int32
	wins, raveWins float32
	first          int32 // of its children, 0: not expanded
	count          int16
	at             uint16 // the cell played, as a place of the field
	proof          int8   // 1: a win for the side that moved into it, -1: a loss
}

// tree searches positions of one size.
type tree struct {
	field *field
	dist  *distances
	sums  [2][]int // two-distances of both colours, by cell
	nodes []node
	path  []int32
	start []rules.Colour // the root's board, by cell
	root  rules.Colour   // to move there
}

const treeLimit = 3_000_000 // 90 MB

func newTree(size int, seed uint64) *tree {
	n := size * size
	return &tree{
		field: newField(size, seed), dist: newDistances(size), sums: [2][]int{make([]int, n), make([]int, n)},
		nodes: make([]node, 0, 1<<16), start: make([]rules.Colour, n),
	}
}

// budget ends a search, whichever is reached first.
type budget struct {
	time     time.Duration
	cpu      time.Duration // of this process
	playouts int
}

// Choice is the result of a search.
type Choice struct {
	Cell     int
	Value    float64 // the expected score of the side to move
	Nodes    int     // of the tree
	playouts int
	proven   bool
}

// search returns turn's best move. The board must have an empty cell.
func (t *tree) search(ctx context.Context, board []rules.Colour, turn rules.Colour, b budget) Choice {
	copy(t.start, board)
	t.root = turn
	t.field.load(board)
	if cell, ok := t.winningCell(turn); ok {
		return Choice{Cell: cell, Value: 1, proven: true}
	}
	forced, isForced := t.winningCell(turn.Other())
	if isForced && b.playouts == 0 {
		b.time /= 10 // all other moves lose
		b.cpu /= 10
	}
	begun, used := time.Now(), ownCPU()
	t.nodes = append(t.nodes[:0], node{})
	t.expand(0, turn)
	n := 0
	for t.nodes[0].proof == 0 && (b.playouts == 0 || n < b.playouts) && len(t.nodes)+len(board) < treeLimit {
		if n&31 == 0 && n > 0 && (ctx.Err() != nil || b.time > 0 && time.Since(begun) >= b.time || b.cpu > 0 && ownCPU()-used >= b.cpu) {
			break
		}
		t.simulate()
		n++
	}
	best := t.best()
	child := &t.nodes[best]
	c := Choice{Cell: t.field.cellAt(int(child.at)), Nodes: len(t.nodes), playouts: n, proven: t.nodes[0].proof != 0}
	if child.visits > 0 {
		c.Value = float64(child.wins) / float64(child.visits)
	}
	if child.proof != 0 {
		c.Value = float64(1+child.proof) / 2
	}
	if isForced && child.proof <= 0 {
		c.Cell = forced
	}
	return c
}

// winningCell is a cell on which c wins at once.
func (t *tree) winningCell(c rules.Colour) (cell int, ok bool) {
	f := t.field
	for _, at := range f.inner {
		if f.cells[at] != rules.None {
			continue
		}
		f.cells[at] = c
		wins := f.touchesTwo(int(at), c) && f.joined(c)
		f.cells[at] = rules.None
		if wins {
			return f.cellAt(int(at)), true
		}
	}
	return 0, false
}

// touchesTwo reports whether at least two neighbours, borders included, are c's:
// a stone joins no groups otherwise.
func (f *field) touchesTwo(at int, c rules.Colour) bool {
	n := 0
	for _, d := range f.ring {
		if f.cells[at+d] == c {
			n++
		}
	}
	return n >= 2 || f.size == 1
}

// best is the child of the root to play: a proven win, else the most visited that
// is not a proven loss.
func (t *tree) best() int32 {
	root := &t.nodes[0]
	best, worth := root.first, -2.0
	for i := root.first; i < root.first+int32(root.count); i++ {
		child := &t.nodes[i]
		value := float64(child.visits) + float64(child.rave)*1e-6
		switch child.proof {
		case 1:
			value = math.Inf(1)
		case -1:
			value = -1 + float64(child.visits)*1e-9
		}
		if value > worth {
			best, worth = i, value
		}
	}
	return best
}

// simulate selects a leaf, expands it after some visits, plays out and backs the
// result up.
func (t *tree) simulate() {
	f := t.field
	f.load(t.start)
	turn := t.root
	at := int32(0)
	t.path = append(t.path[:0], 0)
	for t.nodes[at].first != 0 && t.nodes[at].proof == 0 {
		at = t.choose(at)
		f.cells[t.nodes[at].at] = turn
		turn = turn.Other()
		t.path = append(t.path, at)
		if t.nodes[at].first == 0 && t.nodes[at].proof == 0 && t.nodes[at].visits >= expandAfter {
			if f.joined(turn.Other()) {
				t.nodes[at].proof = 1
				break
			}
			t.expand(at, turn)
		}
	}
	var won rules.Colour
	if proof := t.nodes[at].proof; proof != 0 {
		won = turn.Other()
		if proof < 0 {
			won = turn
		}
		t.prove(len(t.path) - 1)
		f.playout(turn, true) // for the RAVE values
	} else {
		won = f.playout(turn, true)
	}
	t.back(won)
}

// expand gives a node a child for every empty cell, with turn to move. The prior
// of a child depends on the two-distances through its cell, for both colours; it
// counts as priorWeight RAVE playouts.
func (t *tree) expand(at int32, turn rules.Colour) {
	f, m := t.field, t.dist
	for i, place := range f.inner {
		m.board[i] = f.cells[place]
	}
	least := [2]int{}
	for i, c := range [2]rules.Colour{turn, turn.Other()} {
		least[i], _ = m.potential(c)
		for cell := range m.board {
			t.sums[i][cell] = m.dist[0][cell] + m.dist[1][cell]
		}
	}
	first := int32(len(t.nodes))
	for i, place := range f.inner {
		if f.cells[place] != rules.None {
			continue
		}
		off := min(t.sums[0][i]-least[0], priorSteps-1) + min(t.sums[1][i]-least[1], priorSteps-1)
		t.nodes = append(t.nodes, node{at: place, rave: priorWeight, raveWins: priorWeight * prior[off]})
	}
	t.nodes[at].first, t.nodes[at].count = first, int16(int32(len(t.nodes))-first)
	if t.nodes[at].count == 0 {
		t.nodes[at].first = 0
	}
}

const (
	priorWeight = 30
	priorSteps  = 6
)

// prior is the initial value of a move by how much longer its two-distances are
// than the shortest, for both colours together.
var prior = [2*priorSteps - 1]float32{0.7, 0.62, 0.56, 0.51, 0.47, 0.44, 0.42, 0.4, 0.38, 0.36, 0.35}

// choose selects the child with the highest value.
func (t *tree) choose(parent int32) int32 {
	p := &t.nodes[parent]
	best, worth := p.first, float32(-1)
	children := t.nodes[p.first : p.first+int32(p.count)]
	for i := range children {
		c := &children[i]
		if c.proof != 0 {
			if c.proof > 0 {
				return p.first + int32(i)
			}
			continue
		}
		n, rn := float32(c.visits), float32(c.rave)
		value := float32(0.5)
		switch {
		case rn == 0 && n > 0:
			value = c.wins / n
		case n == 0 && rn > 0:
			value = c.raveWins / rn
		case n > 0:
			// The conversions prevent fused operations, so that all machines agree.
			beta := rn / (rn + n + float32(rn*n*raveBias))
			value = float32((1-beta)*(c.wins/n)) + float32(beta*(c.raveWins/rn))
		}
		if value > worth {
			best, worth = p.first+int32(i), value
		}
	}
	return best
}

// back adds the result of a playout to the path and its siblings.
func (t *tree) back(won rules.Colour) {
	f := t.field
	turn := t.root
	for depth, at := range t.path {
		// turn is to move at this node; the values of its children are turn's.
		n := &t.nodes[at]
		if depth > 0 {
			n.visits++
			if won != turn {
				n.wins++
			}
		} else {
			n.visits++
		}
		if n.first != 0 {
			children := t.nodes[n.first : n.first+int32(n.count)]
			gain := float32(0)
			if won == turn {
				gain = 1
			}
			for i := range children {
				if f.cells[children[i].at] == turn {
					children[i].rave++
					children[i].raveWins += gain
				}
			}
		}
		turn = turn.Other()
	}
}

// prove backs up the proof of the node at that depth of the path.
func (t *tree) prove(depth int) {
	for ; depth > 0; depth-- {
		parent := &t.nodes[t.path[depth-1]]
		if t.nodes[t.path[depth]].proof > 0 {
			parent.proof = -1
			continue
		}
		for i := parent.first; i < parent.first+int32(parent.count); i++ {
			if t.nodes[i].proof >= 0 {
				return
			}
		}
		parent.proof = 1
	}
}
