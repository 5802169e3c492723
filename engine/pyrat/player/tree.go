package player

import (
	"context"
	"math"
	"time"

	"thera/engine/pyrat/rules"
)

// The search is decoupled UCT (Lanctot et al. 2013) over choices of targets.
// In a node, the players who have no target choose a piece of cheese to go
// for, at the same time and each by its own statistics. Then both move by the
// rules until one has arrived or its cheese is gone. Below the tree both play
// greedily.

// wide is the number of nearest pieces of cheese that a player chooses from.
const wide = 6

// maxNodes bounds the tree.
const maxNodes = 1 << 15

// explore is UCB1's weight of the unknown.
const explore = 0.25

// node is a state in which somebody chooses.
type node struct {
	visits int32
	depth  int32
	count  [2]int8 // choices of each player, 0 for one that keeps its target
	target [2][wide]int16
	n      [2][wide]int32
	value  [2][wide]float32 // sum of that player's results
	child  [wide * wide]int32
}

// visit is a choice on the way down; -1 for a player who keeps its target.
type visit struct {
	node   int32
	choice [2]int8
}

// tree is the nodes of a search and its memory, kept for the next.
type tree struct {
	nodes []node
	path  []visit
	// The state of the current playout.
	state  rules.State
	cells  rules.Set // with cheese
	cheese rules.Set // the same, by index
	target [2]int16
	// Cheese that the rat was ahead, summed over each choice at the root.
	margin [2][wide]float64
	stage  stage // of the root
}

// search runs playouts until the time is over.
func (p *Player) search(ctx context.Context, pos *rules.Position, cheese rules.Set, side int, limit time.Duration, report func(Analysis)) Analysis {
	began := time.Now()
	t := &p.tree
	t.nodes = t.nodes[:0]
	t.cells, t.cheese = append(t.cells[:0], pos.Cheese()...), append(t.cheese[:0], cheese...)
	t.state, t.target, t.margin = pos.State(), [2]int16{-1, -1}, [2][wide]float64{}
	p.grow(0)
	root := &t.nodes[0]
	t.stage = stage{rows: max(1, int(root.count[0])), columns: max(1, int(root.count[1]))}
	best := Analysis{Move: rules.Stay, Target: -1}
	next := 256
	for {
		p.playout(pos, cheese)
		best.Nodes++
		if p.Playouts > 0 && best.Nodes >= p.Playouts {
			break
		}
		if best.Nodes&31 == 0 && (ctx.Err() != nil || p.Playouts == 0 && time.Since(began) >= limit) {
			break
		}
		if best.Nodes == next && report != nil {
			p.conclude(&best, pos, side)
			report(best)
			next *= 4
		}
	}
	p.conclude(&best, pos, side)
	best.Stage = p.equilibrium()
	if report != nil {
		report(best)
	}
	return best
}

// equilibrium solves the root.
func (p *Player) equilibrium() *Equilibrium {
	e, root := p.tree.stage.solve(), &p.tree.nodes[0]
	for i := range e.Targets {
		for _, k := range root.target[i][:root.count[i]] {
			e.Targets[i] = append(e.Targets[i], p.board.Cheese[k])
		}
	}
	return &e
}

// conclude takes the choice at the root that was visited most.
func (p *Player) conclude(best *Analysis, pos *rules.Position, side int) {
	root := &p.tree.nodes[0]
	if root.count[side] == 0 {
		return
	}
	at := 0
	for k := range int(root.count[side]) {
		if root.n[side][k] > root.n[side][at] {
			at = k
		}
	}
	if n := root.n[side][at]; n > 0 {
		best.Score = p.tree.margin[side][at] / float64(n) * float64(1-2*side)
	}
	best.Depth = 0
	for k := range p.tree.nodes {
		best.Depth = max(best.Depth, int(p.tree.nodes[k].depth)+1)
	}
	p.aim(best, pos.State().At[side], root.target[side][at])
}

// grow adds a node for the tree's current state and returns its index.
func (p *Player) grow(depth int32) int32 {
	t := &p.tree
	t.nodes = append(t.nodes, node{depth: depth})
	nd := &t.nodes[len(t.nodes)-1]
	for i := range 2 {
		if t.target[i] >= 0 {
			continue
		}
		for _, k := range p.nearest(t.state.Dest[i]) {
			if !t.cheese.Has(int(k)) {
				continue
			}
			nd.target[i][nd.count[i]] = k
			if nd.count[i]++; nd.count[i] == wide {
				break
			}
		}
	}
	return int32(len(t.nodes) - 1)
}

// playout goes down the tree, adds a node, plays on greedily to the end and
// records the result.
func (p *Player) playout(pos *rules.Position, cheese rules.Set) {
	t := &p.tree
	t.state = pos.State()
	copy(t.cells, pos.Cheese())
	copy(t.cheese, cheese)
	t.target = [2]int16{-1, -1}
	t.path = t.path[:0]
	at := int32(0)
	over := false
	for {
		nd := &t.nodes[at]
		nd.visits++
		v := visit{node: at, choice: [2]int8{-1, -1}}
		slot := 0
		for i := range 2 {
			if nd.count[i] > 0 {
				c := nd.pick(i)
				v.choice[i] = int8(c)
				t.target[i] = nd.target[i][c]
				slot += c * [2]int{wide, 1}[i]
			}
		}
		t.path = append(t.path, v)
		if over = p.advance(); over {
			break
		}
		if child := nd.child[slot]; child > 0 {
			at = child
			continue
		}
		if int(nd.depth)+1 < p.Depth && len(t.nodes) < maxNodes {
			child := p.grow(nd.depth + 1)
			t.nodes[at].child[slot] = child
		}
		break
	}
	for !over {
		for i := range 2 {
			if t.target[i] < 0 {
				t.target[i] = p.nearestOf(t.cheese, t.state.Dest[i])
			}
		}
		over = p.advance()
	}
	value := t.result(p.board.Total)
	for i, c := range t.path[0].choice {
		if c >= 0 {
			t.margin[i][c] += float64(t.state.Score[0]-t.state.Score[1]) / 2
		}
	}
	first := t.path[0].choice
	t.stage.add(max(0, int(first[0])), max(0, int(first[1])), float64(value[0]), float64(t.state.Score[0]-t.state.Score[1])/2)
	for _, v := range t.path {
		nd := &t.nodes[v.node]
		for i, c := range v.choice {
			if c >= 0 {
				nd.n[i][c]++
				nd.value[i][c] += value[i]
			}
		}
	}
}

// pick returns the choice of player i by UCB1.
func (nd *node) pick(i int) int {
	logs := math.Log(float64(nd.visits))
	best, value := 0, -1.0
	for k := range int(nd.count[i]) {
		n := float64(nd.n[i][k])
		if n == 0 {
			return k
		}
		if v := float64(nd.value[i][k])/n + float64(explore*math.Sqrt(logs/n)); v > value {
			best, value = k, v
		}
	}
	return best
}

// advance plays turns until the game is over or a player has lost its target.
func (p *Player) advance() (over bool) {
	t, maze := &p.tree, p.board.Maze
	for {
		taken, n := t.state.Step(maze, t.cells, p.to(t.target[0], t.state.At[0]), p.to(t.target[1], t.state.At[1]))
		for _, cell := range taken[:n] {
			t.cells.Remove(int(cell))
			k := p.index[cell]
			t.cheese.Remove(int(k))
			for i := range t.target {
				if t.target[i] == k {
					t.target[i] = -1
				}
			}
		}
		if p.board.Over(&t.state) {
			return true
		}
		if t.target[0] < 0 || t.target[1] < 0 {
			return false
		}
	}
}

// result returns what a finished playout is worth to each player: mostly who
// won, and by how much. total is all cheese of the board.
func (t *tree) result(total rules.Points) [2]float32 {
	margin := float32(t.state.Score[0]-t.state.Score[1]) / float32(total)
	// Conversions keep products unfused: the same on every machine.
	rat := 0.5 + float32(0.5*margin)
	switch {
	case margin > 0:
		rat = float32(0.5*rat) + 0.5
	case margin < 0:
		rat = 0.5 * rat
	default:
		rat = 0.5
	}
	return [2]float32{rat, 1 - rat}
}
