package player

import (
	"context"
	"math"
	"slices"
	"time"

	"thera/engine/hex/player/connect"
	"thera/engine/hex/player/conv"
	"thera/engine/hex/player/net"
	"thera/engine/hex/rules"
)

// Monte Carlo tree search with RAVE, guesses of a policy as in PUCT, playouts that keep
// bridges, and a net that judges nodes after some visits. Proven wins and losses are backed up as in MCTS-Solver.
const (
	raveBias  = 0.00025 // four times the squared bias of the RAVE value
	explore   = 0.3     // the weight of guesses
	priorBest = 0.7     // the value of the best guess
	longAfter = 20_000  // visits of the root after which a search is long
)

// trust is how far a tree believes the guesses of the policy.
type trust struct {
	weight      int32   // RAVE playouts that the guess of a move counts as
	worst       float32 // the value of the worst possible guess
	expandAfter int32   // visits before a leaf gets children
}

// trust is that of the options. With few playouts the guesses know more than RAVE does.
func (t *tree) trust() trust {
	if t.plain {
		return trust{weight: 30, worst: 0.35, expandAfter: 4}
	}
	return trust{weight: 100, worst: 0.25, expandAfter: 2}
}

// value is the expected score of a move by its guess.
func (t *trust) value(m *net.Move) float32 { return t.worst + float32((priorBest-t.worst)*m.Best) }

// node is a node of the tree. Its numbers are for the side that moved into it.
type node struct {
	visits, rave   int32
	wins, raveWins float32
	share          float32 // the policy's guess
	first          int32   // of its children, 0: not expanded
	count          int16
	at             uint16 // the cell played, as a place of the field
	looked         bool   // for connections
	judged         bool   // by the judge
	proof          int8   // 1: a win for the side that moved into it, -1: a loss
}

// tree searches positions of one size.
type tree struct {
	field      *field
	guesser    *net.Guesser
	judgeNet   func() *conv.Net // nil if nobody judges
	judger     *conv.Judge      // made when it is first used
	judgeAfter int32            // visits before a node is judged
	guesses    []net.Move       // of the judge
	finder     *connect.Finder  // nil if the board is too large
	found      []rules.Colour   // the board of the finder and the judge
	proveAfter int32            // visits before connections are looked for
	rootWork   int              // of the root's connections
	long       bool             // the search
	nodes      nodes
	plain      bool // it keeps nothing between moves and trusts as before 0.2, for baselines
	trusts     trust
	path       []int32
	before     []rules.Colour // the board of the last search, by cell
	start      []rules.Colour // the root's board, by place
	root       rules.Colour   // to move there
	last       [2]int         // the last moves there, the other side's first, 0 for unknown
	depth      int            // of the longest path
}

const treeLimit = 3_000_000 // 96 MB

func newTree(size int, seed uint64, guess *net.Net, judge func() *conv.Net) *tree {
	g := net.NewGuesser(size, guess)
	f := newField(g.Geometry, seed)
	t := &tree{
		field: f, guesser: g, judgeNet: judge, found: make([]rules.Colour, size*size),
		before: make([]rules.Colour, size*size), start: make([]rules.Colour, len(f.cells)),
	}
	if size <= connect.MaxSize {
		t.finder = connect.New(size)
	}
	return t
}

// budget ends a search, whichever is reached first.
type budget struct {
	time     time.Duration
	cpu      time.Duration // of this process
	playouts int
	depth    int // of the tree
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
	before := t.root
	t.trusts = t.trust()
	t.root, t.last = turn, t.news(board, turn)
	t.field.load(board)
	copy(t.start, t.field.cells)
	if cell, ok := t.winningCell(turn); ok {
		t.nodes.clear()
		return Choice{Cell: cell, Value: 1, proven: true}
	}
	forced, isForced := t.winningCell(turn.Other())
	t.proveAfter = math.MaxInt32
	if isForced && b.playouts == 0 {
		b.time /= 10 // all other moves lose
		b.cpu /= 10
	}
	begun, used := time.Now(), ownCPU()
	t.depth, t.long, t.judgeAfter = 0, false, t.judgesAfter(b)
	if !t.keep(before) {
		t.nodes.clear()
		t.nodes.add(1)
		t.expand(0, turn, t.last)
	}
	if t.finder != nil && !t.plain && !isForced {
		if cell, wins := t.connectRoot(turn); wins {
			t.nodes.at(0).proof = -1
			return Choice{Cell: cell, Value: 1, Nodes: t.nodes.count, proven: true}
		}
	}
	n := 0
	for t.nodes.at(0).proof == 0 && t.nodes.count+len(board) < treeLimit {
		if b.playouts > 0 && n >= b.playouts || b.depth > 0 && t.depth >= b.depth {
			break
		}
		if n&31 == 0 && n > 0 && (ctx.Err() != nil || b.time > 0 && time.Since(begun) >= b.time || b.cpu > 0 && ownCPU()-used >= b.cpu) {
			break
		}
		if !t.long && t.nodes.at(0).visits >= longAfter {
			t.goLong()
		}
		t.simulate()
		n++
	}
	best := t.best()
	child := t.nodes.at(best)
	c := Choice{Cell: t.field.CellAt(int(child.at)), Nodes: t.nodes.count, playouts: n, proven: t.nodes.at(0).proof != 0}
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

// news returns the places of the stones that are new since the last search, turn's second,
// and of none if more has changed than two moves.
func (t *tree) news(board []rules.Colour, turn rules.Colour) (last [2]int) {
	changed := 0
	for cell, c := range board {
		if c == t.before[cell] {
			continue
		}
		i := 0
		if c == turn {
			i = 1
		}
		if last[i] != 0 || t.before[cell] != rules.None {
			changed = 3
		}
		last[i] = int(t.field.inner[cell])
		changed++
	}
	copy(t.before, board)
	if changed > 2 {
		return [2]int{}
	}
	return last
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
			return f.CellAt(int(at)), true
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
	return n >= 2 || f.Size == 1
}

// best is the child of the root to play: a proven win, else the most visited that
// is not a proven loss.
func (t *tree) best() int32 {
	root := t.nodes.at(0)
	best, worth := root.first, -2.0
	children := t.nodes.children(root)
	for i := range children {
		child := &children[i]
		value := float64(child.visits) + float64(child.rave)*1e-6
		switch child.proof {
		case 1:
			value = math.Inf(1)
		case -1:
			value = -1 + float64(child.visits)*1e-9
		}
		if value > worth {
			best, worth = root.first+int32(i), value
		}
	}
	return best
}

// simulate selects a leaf, expands it after some visits, plays out and backs the
// result up.
func (t *tree) simulate() {
	f := t.field
	copy(f.cells, t.start)
	turn, last := t.root, t.last
	at := int32(0)
	t.path = append(t.path[:0], 0)
	n := t.nodes.at(0)
	for n.first != 0 && n.proof == 0 {
		at = t.choose(n)
		n = t.nodes.at(at)
		f.cells[n.at] = turn
		last = [2]int{int(n.at), last[0]}
		turn = turn.Other()
		t.path = append(t.path, at)
		if n.first == 0 && n.proof == 0 && n.visits >= t.trusts.expandAfter {
			t.expand(at, turn, last)
		}
		if n.visits >= t.proveAfter && !n.looked && n.first != 0 {
			t.connect(n, turn)
		}
		if n.visits >= t.judgeAfter && !n.judged && n.first != 0 && n.proof == 0 {
			t.judge(n, turn, last)
		}
	}
	t.depth = max(t.depth, len(t.path)-1)
	var won rules.Colour
	if n.proof != 0 {
		won = turn.Other()
		if n.proof < 0 {
			won = turn
		}
		t.prove(len(t.path) - 1)
		f.playout(turn) // for the RAVE values
	} else {
		won = f.playout(turn)
	}
	t.back(won)
}

// expand gives a node a child for every empty cell, with turn to move, or proves it if
// the other side has won. The root gets children in any case.
func (t *tree) expand(at int32, turn rules.Colour, last [2]int) {
	if won := t.guesser.Look(t.field.cells, turn, last); won && at != 0 {
		t.nodes.at(at).proof = 1
		return
	}
	moves := t.guesser.Moves()
	if len(moves) == 0 {
		return
	}
	first, children := t.nodes.add(len(moves))
	n := t.nodes.at(at)
	n.first, n.count = first, int16(len(moves))
	weight := t.trusts.weight
	for i := range moves {
		m := &moves[i]
		children[i] = node{at: m.At, share: m.Share, rave: weight, raveWins: float32(weight) * t.trusts.value(m)}
	}
}

// choose selects the child with the highest value.
func (t *tree) choose(p *node) int32 {
	best, worth := p.first, float32(-1)
	scale := float32(explore * float32(math.Sqrt(float64(p.visits))))
	children := t.nodes.children(p)
	for i := range children {
		c := &children[i]
		if c.proof != 0 {
			if c.proof > 0 {
				return p.first + int32(i)
			}
			continue
		}
		n, rn := float32(c.visits), float32(c.rave)
		value := c.raveWins / rn
		if n > 0 {
			// The conversions prevent fused operations, so that all machines agree.
			beta := rn / (rn + n + float32(rn*n*raveBias))
			value = float32((1-beta)*(c.wins/n)) + float32(beta*value)
		}
		value += float32(scale*c.share) / (1 + n)
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
		n := t.nodes.at(at)
		if depth > 0 {
			n.visits++
			if won != turn {
				n.wins++
			}
		} else {
			n.visits++
		}
		if n.first != 0 {
			gain := [2]float32{}
			if won == turn {
				gain[1] = 1
			}
			children := t.nodes.children(n)
			for i := range children {
				c := &children[i]
				hit := ^(f.cells[c.at] ^ turn) & 1 // the board is full; a branch would be guessed wrongly
				c.rave += int32(hit)
				c.raveWins += gain[hit]
			}
		}
		turn = turn.Other()
	}
}

// prove backs up the proof of the node at that depth of the path.
func (t *tree) prove(depth int) {
	for ; depth > 0; depth-- {
		parent := t.nodes.at(t.path[depth-1])
		if t.nodes.at(t.path[depth]).proof > 0 {
			parent.proof = -1
			continue
		}
		if t.open(parent) {
			return
		}
		parent.proof = 1
	}
}

// open reports whether a node has a child that is not proven to lose.
func (t *tree) open(n *node) bool {
	return slices.ContainsFunc(t.nodes.children(n), func(child node) bool { return child.proof >= 0 })
}
