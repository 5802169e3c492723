package search

import "math"

// Monte Carlo tree search: the tree grows by one node a round where the upper
// confidence bound is highest, the new leaf is judged by Board.Evaluate turned
// into a winning chance, and proven outcomes are backed up as such.

// twig is one node of the tree, with the move that leads to it.
type twig[M any] struct {
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

const twigBytes = 40

// tree is memory for twigs, allocated once and used anew by each search.
type tree[M any] struct {
	twigs []twig[M]
	path  [MaxPly + 1]int32
}

// exploration is the weight of what is little known, in winning chances.
const exploration = 0.6

// grow runs MCTS until a limit, the tree's end or a proof.
func (e *Engine[M]) grow(d *deepening[M]) {
	t := &e.tree
	if size := int(max(1<<16, min(e.Options.Table/twigBytes, 1<<30))); cap(t.twigs) < size {
		t.twigs = make([]twig[M], 0, size)
	}
	w := d.main
	t.twigs = append(t.twigs[:0], twig[M]{})
	t.addChildren(0, w.root.Items)
	depthLimit := d.limits.Depth
	for best := int32(0); !w.stopped && t.twigs[0].proof == 0; {
		depth := t.round(w)
		if w.stopped {
			break
		}
		if now := t.favourite(0); now != best || depth > d.depth {
			best, d.depth = now, max(d.depth, depth)
			e.tell(d)
		}
		if depthLimit > 0 && d.depth >= depthLimit || len(t.twigs)+1024 > cap(t.twigs) || d.limits.Soft > 0 && w.nodes&255 == 0 && d.late() {
			break
		}
	}
	d.result.Done = t.twigs[0].proof != 0
	e.tell(d)
}

// round walks down, adds one leaf and brings its value back up. It returns the
// leaf's distance from the root.
func (t *tree[M]) round(w *worker[M]) int {
	at, ply := int32(0), 0
	t.path[0] = 0
	for t.twigs[at].expanded && t.twigs[at].proof == 0 && ply < MaxPly {
		at = t.choose(at)
		again, ok := w.step(t.twigs[at].move)
		if !ok {
			break
		}
		t.twigs[at].again = again
		ply++
		t.path[ply] = at
	}
	if !w.stopped && !w.poll(64) {
		t.judge(w, at, ply)
	}
	for range ply {
		w.board.Unmake()
	}
	return ply
}

// judge values the leaf at, expands it and backs its value up.
func (t *tree[M]) judge(w *worker[M], at int32, ply int) {
	leaf := &t.twigs[at]
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
			leaf = &t.twigs[at]
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
		value = chance(score)
		if sign != 0 && at != 0 {
			leaf.proof, leaf.plies = int8(-sign), int16(plies)
			if leaf.again {
				leaf.proof = int8(sign)
			}
		}
	default:
		value = chance(w.evaluate())
	}
	t.backUp(ply, value)
}

// chance is the winning chance of a score.
func chance(score int) float32 {
	if sign, _ := Proven(score); sign != 0 {
		return float32(1+sign) / 2
	}
	return float32(1 / (1 + math.Exp(-float64(score)/200)))
}

// backUp adds the leaf's value, seen by its side to move, along the path.
func (t *tree[M]) backUp(ply int, value float32) {
	for i := ply; i >= 0; i-- {
		twig := &t.twigs[t.path[i]]
		if !twig.again { // else the side to move is the one that moved
			value = 1 - value
		}
		twig.visits++
		twig.sum += value
		if i < ply && twig.proof == 0 {
			t.prove(twig, i == 0)
		}
	}
}

// prove settles a node whose mover has a winning move, or none but losing ones.
func (t *tree[M]) prove(n *twig[M], root bool) {
	shortest, longest, open := int16(math.MaxInt16), int16(-1), false
	for i := n.first; i < n.first+n.count; i++ {
		c := &t.twigs[i]
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
	if len(t.twigs)+len(items) > cap(t.twigs) && at != 0 {
		return // the tree is full: stay a leaf
	}
	n := &t.twigs[at]
	n.first, n.count, n.expanded = int32(len(t.twigs)), int32(len(items)), true
	for _, item := range items {
		t.twigs = append(t.twigs, twig[M]{move: item.Move, tag: item.Tag})
	}
}

// choose is the child with the highest upper confidence bound.
func (t *tree[M]) choose(at int32) int32 {
	n := &t.twigs[at]
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
		c := &t.twigs[i]
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

// favourite is the child to play: a proven win, the shortest first; else the
// most visited that is not lost; else the longest loss.
func (t *tree[M]) favourite(at int32) int32 {
	n := &t.twigs[at]
	if n.count == 0 {
		return 0
	}
	best := n.first
	for i := n.first; i < n.first+n.count; i++ {
		a, b := &t.twigs[i], &t.twigs[best]
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

// tell reports the tree's opinion.
func (e *Engine[M]) tell(d *deepening[M]) {
	t := &e.tree
	r := &d.result
	r.PV = nil
	for at := t.favourite(0); at != 0 && len(r.PV) < MaxPly; at = t.favourite(at) {
		r.PV = append(r.PV, t.twigs[at].move)
		if t.twigs[at].visits == 0 {
			break
		}
	}
	c := &t.twigs[t.favourite(0)]
	r.Move, r.Depth, r.Nodes = c.move, d.depth, d.nodes()
	switch {
	case c.proof == 1:
		r.Score = WinIn(int(c.plies) + 1)
	case c.proof == -1 && t.twigs[0].proof != 0:
		r.Score = LossIn(int(c.plies) + 1)
	case c.visits > 0:
		p := min(max(float64(c.sum)/float64(c.visits), 0.001), 0.999)
		r.Score = int(200 * math.Log(p/(1-p)))
	}
	if d.report != nil {
		d.report(*r)
	}
}
