package pyrat

import (
	"context"
	"math"
	"time"
)

// The search is decoupled UCT (Lanctot et al. 2013) over choices of targets:
// in a node those players choose a cheese to go for who have none, at the same
// time and each by its own statistics; then both walk by the rules until a
// player has arrived or its cheese is gone. Below the tree both are greedy.

// wide is the number of nearest cheeses that a player chooses from.
const wide = 6

// node is a state in which somebody chooses.
type node struct {
	visits int32
	depth  int32
	count  [2]int8 // choices of each player; 0: it goes on to its target
	target [2][wide]int16
	n      [2][wide]int32
	value  [2][wide]float32 // sum, of that player's result
	child  [wide * wide]int32
}

// tree is the nodes, allocated once and used again.
type tree struct {
	nodes []node
	path  []visit
	// One playout's own state.
	state  state
	cells  cheeses
	set    numbers
	target [2]int16
	// Cheese that the rat was ahead, summed over each choice at the root.
	margin [2][wide]float64
}

// visit is a choice on the way down.
type visit struct {
	node   int32
	choice [2]int8
}

const maxNodes = 1 << 15

// search plays out until the time is over.
func (b *brain) search(ctx context.Context, p *position, set numbers, i int, limit time.Duration, report func(thought)) thought {
	began := time.Now()
	t := &b.tree
	t.nodes = t.nodes[:0]
	t.cells, t.set = append(t.cells[:0], p.cheese...), append(t.set[:0], set...)
	t.state, t.target, t.margin = p.state, [2]int16{-1, -1}, [2][wide]float64{}
	b.grow(0)
	best := thought{move: stay, target: -1}
	next := 256
	for {
		b.playout(p, set)
		best.nodes++
		if b.playouts > 0 && best.nodes >= b.playouts {
			break
		}
		if best.nodes&31 == 0 && (ctx.Err() != nil || b.playouts == 0 && time.Since(began) >= limit) {
			break
		}
		if best.nodes == next && report != nil {
			b.conclude(&best, p, i)
			report(best)
			next *= 4
		}
	}
	b.conclude(&best, p, i)
	if report != nil {
		report(best)
	}
	return best
}

// conclude reads the best choice from the root: the one most looked at.
func (b *brain) conclude(best *thought, p *position, i int) {
	root := &b.tree.nodes[0]
	at := 0
	for k := range int(root.count[i]) {
		if root.n[i][k] > root.n[i][at] {
			at = k
		}
	}
	if root.count[i] == 0 {
		return
	}
	if n := root.n[i][at]; n > 0 {
		best.score = b.tree.margin[i][at] / float64(n) * float64(1-2*i)
	}
	best.depth = 0
	for k := range b.tree.nodes {
		best.depth = max(best.depth, int(b.tree.nodes[k].depth)+1)
	}
	b.head(best, p, i, root.target[i][at])
}

// grow adds a node for the tree's current state.
func (b *brain) grow(depth int32) int32 {
	t := &b.tree
	t.nodes = append(t.nodes, node{depth: depth})
	at := int32(len(t.nodes) - 1)
	nd := &t.nodes[at]
	total := len(b.order)
	for i := range 2 {
		if t.target[i] >= 0 {
			continue
		}
		from := int(t.state.dest[i])
		for _, k := range b.near[from*total : from*total+total] {
			if !t.set.has(k) {
				continue
			}
			nd.target[i][nd.count[i]] = k
			if nd.count[i]++; nd.count[i] == wide {
				break
			}
		}
	}
	return at
}

// playout goes down the tree, adds a node, plays on greedily to the end and
// books the result.
func (b *brain) playout(p *position, set numbers) {
	t := &b.tree
	t.state = p.state
	copy(t.cells, p.cheese)
	copy(t.set, set)
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
		if over = b.walk(p); over {
			break
		}
		if child := nd.child[slot]; child > 0 {
			at = child
			continue
		}
		if int(nd.depth)+1 < b.depth && len(t.nodes) < maxNodes {
			child := b.grow(nd.depth + 1)
			t.nodes[at].child[slot] = child
		}
		break
	}
	for !over {
		for i := range 2 {
			if t.target[i] < 0 {
				t.target[i] = b.nearest(t.set, t.state.dest[i])
			}
		}
		over = b.walk(p)
	}
	value := t.result(p)
	for i, c := range t.path[0].choice {
		if c >= 0 {
			t.margin[i][c] += float64(t.state.score[0]-t.state.score[1]) / 2
		}
	}
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

// pick is the choice of player i by UCB1.
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

// explore is UCB1's weight of what is unknown.
const explore = 0.25

// walk plays turns until the game is over, or a player has no target any more.
func (b *brain) walk(p *position) (over bool) {
	t := &b.tree
	cells := b.cells()
	for {
		var asked [2]uint8
		for i := range 2 {
			asked[i] = b.way[int(t.target[i])*cells+int(t.state.at[i])]
		}
		took := t.state.step(b.maze, t.cells, asked[0], asked[1])
		if took != nothing {
			for i, cell := range took {
				if cell < 0 || i == 1 && cell == took[0] {
					continue
				}
				t.cells.remove(cell)
				k := b.index[cell]
				t.set.remove(k)
				for j := range t.target {
					if t.target[j] == k {
						t.target[j] = -1
					}
				}
			}
		}
		if t.state.finished(p.board.total, p.board.maxTurns) != running {
			return true
		}
		if t.target[0] < 0 || t.target[1] < 0 {
			return false
		}
	}
}

// result is what a finished playout is worth to each: mostly who won, and by
// how much.
func (t *tree) result(p *position) [2]float32 {
	margin := float32(t.state.score[0]-t.state.score[1]) / float32(p.board.total)
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
