package player

import (
	"context"
	"math"
	"time"

	"thera/engine/pyrat/rules"
)

// The search is decoupled UCT (Lanctot et al. 2013) over choices of targets.
// In a node, the players who have no target choose a piece of cheese to go
// for, at the same time and each by its statistics, with the formula PUCT
// (Rosin 2011) and a prior for near cheese. Then both run until one has arrived
// or its cheese is gone. Below the tree both play greedily.
//
// Nodes are states with their turn. As long as both players go for what they
// were expected to, the next search comes to the states that this one has
// looked at and goes on where it ended.

// prior is how promising the k-th nearest cheese is before anything is known.
var prior = [wide]float64{1, 0.8, 0.64, 0.512, 0.4096, 0.32768}

// visit is a choice on the way down; -1 for a player who keeps its target.
type visit struct {
	node   *node
	key    uint64
	choice [2]int8
}

// tree is the nodes of the searches of a game, and the memory of the current one.
type tree struct {
	nodes []node
	grown int64 // nodes made, of all searches
	root  race
	race  race // of the current playout
	path  []visit
	depth int  // of the longest path
	whole bool // a path came to the end of the game, or is as long as one may be
	// Cheese that the rat was ahead, summed over each choice at the root.
	margin [2][wide]float64
	taste  taste
	early  bool // the last search was Prepare's
}

// timed reports whether nothing but time limits the search. Other limits give the same moves
// on every machine.
func (o *Options) timed() bool { return o.Playouts == 0 && o.Until == 0 }

// Prepare searches the first position of a game before a move is asked for. The next search
// that is timed goes on from there.
func (p *Player) Prepare(ctx context.Context, pos *rules.Position, limit time.Duration) {
	if p.Strategy == Search && p.timed() && limit > 0 && pos.ToMove() != 0 {
		p.search(ctx, pos, p.left(pos), -1, limit, nil)
		p.tree.early = true
	}
}

// search runs playouts until the time is over, or there is nothing to choose for a side.
// Side -1 chooses nothing.
func (p *Player) search(ctx context.Context, pos *rules.Position, cheese rules.Set, side int, limit time.Duration, report func(Analysis)) Analysis {
	began := time.Now()
	p.open(pos, cheese)
	best := Analysis{Move: rules.Stay, Target: -1}
	next := 256
	for {
		p.playout()
		best.Nodes++
		if p.Playouts > 0 && best.Nodes >= p.Playouts || p.Until > 0 && (p.tree.whole || p.tree.depth >= p.Until) {
			break
		}
		if best.Nodes == 1 && p.timed() && side >= 0 && p.only(side) || best.Nodes&31 == 0 && (ctx.Err() != nil || p.timed() && time.Since(began) >= limit) {
			break
		}
		if best.Nodes == next && report != nil {
			p.conclude(&best, side)
			report(best)
			next *= 4
		}
	}
	if side < 0 {
		return best
	}
	p.conclude(&best, side)
	if report != nil {
		report(best)
	}
	return best
}

// only reports whether a side has one choice at the root, or none.
func (p *Player) only(side int) bool {
	root, _ := p.node(&p.tree.root)
	return root.count[side] <= 1
}

// open makes a position the root, which has no statistics but those of Prepare. It forgets
// all nodes unless the position is later than that of the last search.
func (p *Player) open(pos *rules.Position, cheese rules.Set) {
	t := &p.tree
	last, early := t.root.turn, t.early
	p.set(&t.root, pos, cheese)
	t.taste, t.early = p.taste(), false
	if early && p.timed() && t.root.turn == last {
		return
	}
	if t.nodes == nil {
		t.nodes = make([]node, slots)
	} else if early && !p.timed() || t.root.turn <= last {
		clear(t.nodes)
	}
	root, _ := p.node(&t.root)
	root.visits, root.n, root.value = 0, [2][wide]int32{}, [2][wide]float32{}
	t.depth, t.whole, t.margin = 0, false, [2][wide]float64{}
}

// conclude takes the choice at the root that was visited most.
func (p *Player) conclude(best *Analysis, side int) {
	root, _ := p.node(&p.tree.root)
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
	best.Depth = p.tree.depth
	p.aim(best, p.tree.root.runner[side].cell, root.target[side][at])
}

// playout goes down the tree to a new node, plays on greedily to the end and records the
// result.
func (p *Player) playout() {
	t := &p.tree
	r := &t.race
	r.copyFrom(&t.root)
	t.path = t.path[:0]
	over := false
	for nd, grown := p.node(r); !grown || len(t.path) == 0; nd, grown = p.node(r) {
		nd.visits++
		v := visit{node: nd, key: nd.key, choice: [2]int8{-1, -1}}
		for i := range v.choice {
			if nd.count[i] > 0 {
				c := nd.pick(i, t.taste.explore)
				v.choice[i] = int8(c)
				p.send(r, i, nd.target[i][c])
			}
		}
		t.path = append(t.path, v)
		if over = p.run(r); over || len(t.path) == p.Depth {
			t.whole = true
			break
		}
	}
	t.depth = max(t.depth, len(t.path))
	if !over {
		p.finish(r)
	}
	value, lead := r.result(p.board.Total, t.taste), float64(r.score[0]-r.score[1])/2
	for i, c := range t.path[0].choice {
		if c >= 0 {
			t.margin[i][c] += lead
		}
	}
	for _, v := range t.path {
		nd := v.node
		if nd.key != v.key {
			continue // another state has taken its place
		}
		for i, c := range v.choice {
			if c >= 0 {
				nd.n[i][c]++
				nd.value[i][c] += value[i]
			}
		}
	}
}

// pick returns the choice of player i by PUCT. explore is the weight of what is little known.
// A choice without visits is thought to be worth as much as the one before it.
func (nd *node) pick(i int, explore float64) int {
	weight := explore * math.Sqrt(float64(nd.visits))
	best, value, mean := 0, -1.0, 0.5
	for k := range int(nd.count[i]) {
		n := float64(nd.n[i][k])
		if n > 0 {
			mean = float64(nd.value[i][k]) / n
		}
		if v := mean + float64(weight*prior[k])/(1+n); v > value {
			best, value = k, v
		}
	}
	return best
}
