package net

import (
	"math/bits"

	"thera/engine/santorini/rules"
)

// Evaluator evaluates the positions of a search. It remembers the sum of the blocks for
// each square where a worker stood, with the blocks that it was for. A worker that is
// seen there again needs only the rows of squares that have changed since. So the first
// layer follows the search by itself: nobody reports turns made and taken back. An Evaluator
// must not be used by two goroutines at once.
type Evaluator struct {
	net     *Net
	seen    [2][heights][32]memory // by set of rows, height and square of the worker
	changed changed
	changes [squares*levels + unroll]uint32
	others  [maxFeatures + unroll]uint32
	pool    [2]row
}

// changed is how blocks differ: by square and step.
type changed struct {
	from, to [4]uint32
	n        int
	list     [squares * levels]struct{ square, step uint8 }
}

// memory is the rows of a worker and of the blocks, added up.
type memory struct {
	sum   row
	above [4]uint32
}

// NewEvaluator returns an evaluator of n.
func NewEvaluator(n *Net) *Evaluator {
	e := &Evaluator{net: n}
	for set := range e.seen {
		for height := range heights {
			for s := range squares {
				e.seen[set][height][s].sum = n.rows[set*setRows+atWorker+height*classes+int(classOf[s])]
			}
		}
	}
	return e
}

// worker is a worker on the board.
type worker struct{ square, height uint8 }

// Evaluate is the same as Evaluate of the network.
func (e *Evaluator) Evaluate(p *rules.State) int {
	var workers [2][rules.Squares]worker
	var counts [2]int
	for side := range workers {
		n := 0
		for set := p.Workers[side]; set != 0; set &= set - 1 {
			s := bits.TrailingZeros32(set) & 31
			workers[side][n] = worker{uint8(s), uint8(min(p.Height(s), heights-1))}
			n++
		}
		counts[side] = n
	}
	mortals := p.Gods[0]|p.Gods[1] == rules.Mortal
	e.pool = [2]row{}
	for side := range workers {
		set := (side ^ int(p.Mover)) & 1
		mine, theirs := workers[side][:counts[side]], workers[side^1][:counts[side^1]]
		for i, w := range mine {
			s := int(w.square) & 31
			m := &e.seen[set][w.height][s]
			changes := e.changes[:0]
			if m.above != p.Above {
				changes = e.changesOf(m, (set*heights*classes+int(w.height)*classes+int(classOf[s]))*squares*levels, &seenFrom[s], p)
			}
			n := 0
			from, at := &seenBy[s], uint32(set*setRows+atMate)
			for j, o := range mine {
				if j != i {
					e.others[n] = (at + uint32(from[o.square&31]) + uint32(o.height)) * rowBytes
					n++
				}
			}
			at = uint32(set*setRows + atFoe)
			for _, o := range theirs {
				e.others[n] = (at + uint32(from[o.square&31]) + uint32(o.height)) * rowBytes
				n++
			}
			if !mortals {
				var memory [maxFeatures]uint16
				for _, r := range appendPowers(memory[:0], p, uint8(side), s, set*setRows) {
					e.others[n] = uint32(r) * rowBytes
					n++
				}
			}
			for ; n%unroll != 0; n++ {
				e.others[n] = uint32(Rows * rowBytes)
			}
			view(&m.sum, e.net.steps, changes, e.net.rows, e.others[:n], &e.pool[set])
		}
	}
	return points(second(&e.pool, &e.net.head))
}

// changesOf lists the steps that bring m to the blocks of p. at is its first pair of
// steps. Workers that did not move since they were evaluated last have one list.
func (e *Evaluator) changesOf(m *memory, at int, seen *[32]uint8, p *rules.State) []uint32 {
	c := &e.changed
	if c.from != m.above || c.to != p.Above {
		c.between(&m.above, &p.Above)
	}
	n := 0
	for _, change := range c.list[:c.n] {
		e.changes[n] = uint32(at*2+int(seen[change.square&31])*2*levels+int(change.step)) * rowBytes
		n++
	}
	for ; n%unroll != 0; n++ {
		e.changes[n] = uint32(noStep * rowBytes)
	}
	m.above = p.Above
	return e.changes[:n]
}

// between lists how to differs from from.
func (c *changed) between(from, to *[4]uint32) {
	c.from, c.to, c.n = *from, *to, 0
	for k := 0; k < levels; k += 2 {
		now := uint64(to[k]&rules.Board) | uint64(to[k+1]&rules.Board)<<32
		was := uint64(from[k]&rules.Board) | uint64(from[k+1]&rules.Board)<<32
		for bits64 := now ^ was; bits64 != 0; bits64 &= bits64 - 1 {
			at := bits.TrailingZeros64(bits64)
			change := &c.list[c.n]
			change.square, change.step = uint8(at&31), uint8((k+at>>5)*2)|uint8(was>>at&1)
			c.n++
		}
	}
}
