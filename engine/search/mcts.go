package search

import "math"

// Monte Carlo tree search with UCT selection. A leaf is not played out: its value
// is Board.Evaluate, converted to a winning probability. Proven outcomes are
// backed up as in MCTS-Solver.

// node is a node of the tree and the move that leads to it.
type node[M any] struct {
	move     M
	tag      uint32
	first    int32 // of its children, 0: none yet
	count    int32
	visits   int32
	sum      float32 // of results for the side that moved into it, 0 to 1 each
	plies    int16   // to the proven end
	proof    int8    // 1: a win for the side that moved into it, -1: a loss
	again    bool    // the side that moved into it moves on
	expanded bool
}

const nodeBytes = 40

// tree holds the nodes. Its memory is allocated once and reused by each search.
type tree[M any] struct {
	nodes []node[M]
	path  [MaxPly + 1]int32
}

// exploration is the UCT constant, in winning probability.
const exploration = 0.6

// runMCTS runs simulations until a limit, a proof or the end of the memory.
func (e *Engine[M]) runMCTS(d *deepening[M]) {
	t := &e.tree
	if size := int(max(1<<16, min(e.Options.Table/nodeBytes, 1<<30))); cap(t.nodes) < size {
		t.nodes = make([]node[M], 0, size)
	}
	w := d.main
	t.nodes = append(t.nodes[:0], node[M]{})
	t.addChildren(0, w.root.Items)
	depthLimit := d.limits.Depth
	for best := int32(0); !w.stopped && t.nodes[0].proof == 0; {
		depth := t.simulate(w)
		if w.stopped {
			break
		}
		if now := t.bestChild(0); now != best || depth > d.depth {
			best, d.depth = now, max(d.depth, depth)
			e.reportTree(d)
		}
		if depthLimit > 0 && d.depth >= depthLimit || len(t.nodes)+1024 > cap(t.nodes) || d.limits.Soft > 0 && w.nodes&255 == 0 && d.late() {
			break
		}
	}
	d.result.Done = t.nodes[0].proof != 0
	e.reportTree(d)
}

// simulate selects a leaf, expands it and backs its value up. It returns the
// depth of the leaf.
func (t *tree[M]) simulate(w *worker[M]) int {
	at, ply := int32(0), 0
	t.path[0] = 0
	for t.nodes[at].expanded && t.nodes[at].proof == 0 && ply < MaxPly {
		at = t.choose(at)
		again, ok := w.makeMove(t.nodes[at].move)
		if !ok {
			break
		}
		t.nodes[at].again = again
		ply++
		t.path[ply] = at
	}
	if !w.stopped && !w.poll(64) {
		t.evaluateLeaf(w, at, ply)
	}
	for range ply {
		w.board.Unmake()
	}
	return ply
}

// evaluateLeaf evaluates the leaf at ply, expands it and backs its value up.
func (t *tree[M]) evaluateLeaf(w *worker[M], at int32, ply int) {
	leaf := &t.nodes[at]
	value := float32(0.5) // for the side to move
	score, known := w.board.Known()
	if !known && !leaf.expanded {
		list := &w.frames[min(ply, MaxPly)].list
		list.Items = list.Items[:0]
		for stage, more := 0, true; more; stage++ {
			more = w.board.Generate(stage, list)
		}
		if len(list.Items) == 0 {
			score, known = w.board.Stuck(), true
		} else {
			t.addChildren(at, list.Items)
			leaf = &t.nodes[at]
		}
	}
	switch {
	case leaf.proof != 0:
		value = float32(1-leaf.proof) / 2
		if leaf.again {
			value = 1 - value
		}
	case known:
		sign, plies := Proven(score)
		value = winProbability(score)
		if sign != 0 && at != 0 {
			leaf.proof, leaf.plies = int8(-sign), int16(plies)
			if leaf.again {
				leaf.proof = int8(sign)
			}
		}
	default:
		value = winProbability(w.evaluate())
	}
	t.backUp(ply, value)
}

// winProbability converts a score.
func winProbability(score int) float32 {
	if sign, _ := Proven(score); sign != 0 {
		return float32(1+sign) / 2
	}
	return float32(1 / (1 + math.Exp(-float64(score)/200)))
}

// backUp adds the leaf's value for its side to move to the nodes of the path.
func (t *tree[M]) backUp(ply int, value float32) {
	for i := ply; i >= 0; i-- {
		node := &t.nodes[t.path[i]]
		if !node.again { // else the side to move is the one that moved
			value = 1 - value
		}
		node.visits++
		node.sum += value
		if i < ply && node.proof == 0 {
			t.prove(node, i == 0)
		}
	}
}

// prove marks a node whose side to move has a winning move or only losing ones.
func (t *tree[M]) prove(n *node[M], root bool) {
	shortest, longest, open := int16(math.MaxInt16), int16(-1), false
	for i := n.first; i < n.first+n.count; i++ {
		c := &t.nodes[i]
		switch c.proof {
		case 1:
			shortest = min(shortest, c.plies+1)
		case -1:
			longest = max(longest, c.plies+1)
		default:
			open = true
		}
	}
	mover := int8(0)
	switch {
	case shortest < math.MaxInt16:
		mover, n.plies = 1, shortest
	case !open && n.count > 0:
		mover, n.plies = -1, longest
	}
	n.proof = -mover
	if n.again && !root {
		n.proof = mover
	}
}

func (t *tree[M]) addChildren(at int32, items []Item[M]) {
	if len(t.nodes)+len(items) > cap(t.nodes) && at != 0 {
		return // no memory left: the node stays a leaf
	}
	n := &t.nodes[at]
	n.first, n.count, n.expanded = int32(len(t.nodes)), int32(len(items)), true
	for _, item := range items {
		t.nodes = append(t.nodes, node[M]{move: item.Move, tag: item.Tag})
	}
}

// choose is the child with the highest upper confidence bound.
func (t *tree[M]) choose(at int32) int32 {
	n := &t.nodes[at]
	log := math.Sqrt(math.Log(float64(n.visits + 2)))
	parent := 0.5
	if n.visits > 0 {
		parent = 1 - float64(n.sum)/float64(n.visits)
		if n.again {
			parent = 1 - parent
		}
	}
	best, bestValue := n.first, math.Inf(-1)
	for i := n.first; i < n.first+n.count; i++ {
		c := &t.nodes[i]
		value := parent
		switch {
		case c.proof == -1:
			value = -10
		case c.proof == 1:
			value = 10
		case c.visits > 0:
			value = float64(c.sum) / float64(c.visits)
		}
		value += exploration * log / math.Sqrt(float64(c.visits)+1)
		if value > bestValue {
			best, bestValue = i, value
		}
	}
	return best
}

// bestChild is the child to play: the shortest proven win, else the most visited
// child that is not lost, else the longest loss.
func (t *tree[M]) bestChild(at int32) int32 {
	n := &t.nodes[at]
	if n.count == 0 {
		return 0
	}
	best := n.first
	for i := n.first; i < n.first+n.count; i++ {
		a, b := &t.nodes[i], &t.nodes[best]
		switch {
		case a.proof != b.proof:
			if a.proof > b.proof {
				best = i
			}
		case a.proof == 1 && a.plies < b.plies, a.proof == -1 && a.plies > b.plies, a.proof == 0 && a.visits > b.visits:
			best = i
		}
	}
	return best
}

// reportTree records and reports the best line of the tree.
func (e *Engine[M]) reportTree(d *deepening[M]) {
	t := &e.tree
	r := &d.result
	r.PV = nil
	for at := t.bestChild(0); at != 0 && len(r.PV) < MaxPly; at = t.bestChild(at) {
		r.PV = append(r.PV, t.nodes[at].move)
		if t.nodes[at].visits == 0 {
			break
		}
	}
	c := &t.nodes[t.bestChild(0)]
	r.Move, r.Depth, r.Nodes = c.move, d.depth, d.nodes()
	switch {
	case c.proof == 1:
		r.Score = WinIn(int(c.plies) + 1)
	case c.proof == -1 && t.nodes[0].proof != 0:
		r.Score = LossIn(int(c.plies) + 1)
	case c.visits > 0:
		p := min(max(float64(c.sum)/float64(c.visits), 0.001), 0.999)
		r.Score = int(200 * math.Log(p/(1-p)))
	}
	if d.report != nil {
		d.report(*r)
	}
}
