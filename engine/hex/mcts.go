package hex

import (
	"context"
	"math"
	"time"
)

// The tree search: Monte Carlo tree search whose little-visited moves are
// judged by all playouts in which they were played at any time (RAVE), which
// is all the exploration there is, with playouts that keep bridges. Wins and losses at the end of the tree are proven upwards.
const (
	raveBias    = 0.00025 // four times the squared bias of the all-moves-as-first value
	expandAfter = 4       // visits before a leaf gets children
)

// twig is a node of the tree; its numbers are those of the side that moved
// into it.
type twig struct {
	visits, rave   int32
	wins, raveWins float32
	first          int32 // of its children, 0: none yet
	count          int16
	at             uint16 // the place played
	proof          int8   // 1: a win for the side that moved into it, -1: a loss
}

// thinker searches positions of one size.
type thinker struct {
	field *field
	meter *meter
	sums  [2][]int // two-distances of both colours, by cell
	tree  []twig
	path  []int32
	start []colour // the root's board, by cell
	root  colour   // to move there
}

const treeLimit = 3_000_000 // twigs, 90 MB

func newThinker(size int, seed uint64) *thinker {
	n := size * size
	return &thinker{
		field: newField(size, seed), meter: newMeter(size), sums: [2][]int{make([]int, n), make([]int, n)},
		tree: make([]twig, 0, 1<<16), start: make([]colour, n),
	}
}

// budget ends a search, whichever is reached first.
type budget struct {
	time     time.Duration
	playouts int
}

// choice is what a search came to. value is the mover's expected result.
type choice struct {
	cell     int
	value    float64
	playouts int
	proven   bool
}

// search seeks turn's best move; the board must have an empty cell.
func (t *thinker) search(ctx context.Context, board []colour, turn colour, b budget) choice {
	copy(t.start, board)
	t.root = turn
	t.field.load(board)
	if cell, ok := t.urgent(turn); ok {
		return choice{cell: cell, value: 1, proven: true}
	}
	forced, isForced := t.urgent(turn.other())
	if isForced && b.playouts == 0 {
		b.time /= 10 // there is little to choose
	}
	begun := time.Now()
	t.tree = append(t.tree[:0], twig{})
	t.expand(0, turn)
	n := 0
	for t.tree[0].proof == 0 && (b.playouts == 0 || n < b.playouts) && len(t.tree)+len(board) < treeLimit {
		if n&31 == 0 && n > 0 && (ctx.Err() != nil || b.time > 0 && time.Since(begun) >= b.time) {
			break
		}
		t.round()
		n++
	}
	best := t.best()
	twig := &t.tree[best]
	c := choice{cell: t.field.cellAt(int(twig.at)), playouts: n, proven: t.tree[0].proof != 0}
	if twig.visits > 0 {
		c.value = float64(twig.wins) / float64(twig.visits)
	}
	if twig.proof != 0 {
		c.value = float64(1+twig.proof) / 2
	}
	if isForced && twig.proof <= 0 {
		c.cell = forced
	}
	return c
}

// urgent is a cell on which c wins at once. With several, any will do.
func (t *thinker) urgent(c colour) (cell int, ok bool) {
	f := t.field
	for _, at := range f.inner {
		if f.cells[at] != none {
			continue
		}
		f.cells[at] = c
		wins := f.touchesTwo(int(at), c) && f.joined(c)
		f.cells[at] = none
		if wins {
			return f.cellAt(int(at)), true
		}
	}
	return 0, false
}

// touchesTwo says whether at least two of the neighbours, borders included,
// are c's: less can't join anything.
func (f *field) touchesTwo(at int, c colour) bool {
	n := 0
	for _, d := range f.ring {
		if f.cells[at+d] == c {
			n++
		}
	}
	return n >= 2 || f.size == 1
}

// best is the root's child to play: a proven win, else the most visited that
// is not a proven loss.
func (t *thinker) best() int32 {
	root := &t.tree[0]
	best, worth := root.first, -2.0
	for i := root.first; i < root.first+int32(root.count); i++ {
		twig := &t.tree[i]
		value := float64(twig.visits) + float64(twig.rave)*1e-6
		switch twig.proof {
		case 1:
			value = math.Inf(1)
		case -1:
			value = -1 + float64(twig.visits)*1e-9
		}
		if value > worth {
			best, worth = i, value
		}
	}
	return best
}

// round walks down, plays out and brings the result up.
func (t *thinker) round() {
	f := t.field
	f.load(t.start)
	turn := t.root
	at := int32(0)
	t.path = append(t.path[:0], 0)
	for t.tree[at].first != 0 && t.tree[at].proof == 0 {
		at = t.choose(at)
		f.cells[t.tree[at].at] = turn
		turn = turn.other()
		t.path = append(t.path, at)
		if t.tree[at].first == 0 && t.tree[at].proof == 0 && t.tree[at].visits >= expandAfter {
			if f.joined(turn.other()) {
				t.tree[at].proof = 1
				break
			}
			t.expand(at, turn)
		}
	}
	var won colour
	if proof := t.tree[at].proof; proof != 0 {
		won = turn.other()
		if proof < 0 {
			won = turn
		}
		t.prove(len(t.path) - 1)
		f.playout(turn, true) // for the all-moves-as-first values
	} else {
		won = f.playout(turn, true)
	}
	t.back(won)
}

// expand gives a twig a child for every empty place of the field as it is,
// turn to move. Two-distances say which look good: those on the shortest ways
// of both colours. That counts like some playouts, all moves as first.
func (t *thinker) expand(at int32, turn colour) {
	f, m := t.field, t.meter
	for i, place := range f.inner {
		m.board[i] = f.cells[place]
	}
	least := [2]int{}
	for i, c := range [2]colour{turn, turn.other()} {
		least[i], _ = m.potential(c)
		for cell := range m.board {
			t.sums[i][cell] = m.dist[0][cell] + m.dist[1][cell]
		}
	}
	first := int32(len(t.tree))
	for i, place := range f.inner {
		if f.cells[place] != none {
			continue
		}
		off := min(t.sums[0][i]-least[0], priorSteps-1) + min(t.sums[1][i]-least[1], priorSteps-1)
		t.tree = append(t.tree, twig{at: place, rave: priorWeight, raveWins: priorWeight * prior[off]})
	}
	t.tree[at].first, t.tree[at].count = first, int16(int32(len(t.tree))-first)
	if t.tree[at].count == 0 {
		t.tree[at].first = 0
	}
}

const (
	priorWeight = 30
	priorSteps  = 6
)

// prior is the first guess of a move's value by how much longer than the
// shortest the ways through it are, for both colours together.
var prior = [2*priorSteps - 1]float32{0.7, 0.62, 0.56, 0.51, 0.47, 0.44, 0.42, 0.4, 0.38, 0.36, 0.35}

// choose is the child to try next.
func (t *thinker) choose(parent int32) int32 {
	p := &t.tree[parent]
	best, worth := p.first, float32(-1)
	children := t.tree[p.first : p.first+int32(p.count)]
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
			// The conversions keep every machine from fusing operations.
			beta := rn / (rn + n + float32(rn*n*raveBias))
			value = float32((1-beta)*(c.wins/n)) + float32(beta*(c.raveWins/rn))
		}
		if value > worth {
			best, worth = p.first+int32(i), value
		}
	}
	return best
}

// back brings a playout's result to the path and its siblings.
func (t *thinker) back(won colour) {
	f := t.field
	turn := t.root
	for depth, at := range t.path {
		// turn moves below this twig; its children's values are turn's.
		twig := &t.tree[at]
		if depth > 0 {
			twig.visits++
			if won != turn {
				twig.wins++
			}
		} else {
			twig.visits++
		}
		if twig.first != 0 {
			children := t.tree[twig.first : twig.first+int32(twig.count)]
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
		turn = turn.other()
	}
}

// prove carries a proof from the twig at that depth of the path upwards.
func (t *thinker) prove(depth int) {
	for ; depth > 0; depth-- {
		parent := &t.tree[t.path[depth-1]]
		if t.tree[t.path[depth]].proof > 0 {
			parent.proof = -1
			continue
		}
		for i := parent.first; i < parent.first+int32(parent.count); i++ {
			if t.tree[i].proof >= 0 {
				return
			}
		}
		parent.proof = 1
	}
}
