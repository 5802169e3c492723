package net

import (
	"math/bits"

	"thera/engine/lanes"
	"thera/engine/santorini/rules"
)

// Evaluator evaluates the positions of a search. It remembers the sum of the blocks for
// each square where a worker stood, with the blocks that it was for. A worker that is
// seen there again needs only the rows of squares that have changed since. So the first
// layer follows the search by itself: nobody reports turns made and taken back. An Evaluator
// must not be used by two goroutines at once.
type Evaluator struct {
	net  *Net
	seen [2][heights][32]memory // by set of rows, height and square of the worker
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

// Evaluate is the same as Evaluate of the network.
func (e *Evaluator) Evaluate(p *rules.State) int {
	var features [maxFeatures]uint16
	sum := uint64(0)
	for side := range p.Workers {
		set := (side ^ int(p.Mover)) & 1
		for mine := p.Workers[side]; mine != 0; mine &= mine - 1 {
			s := bits.TrailingZeros32(mine) & 31
			height := min(p.Height(s), heights-1)
			m := &e.seen[set][height][s]
			if m.above != p.Above {
				e.update(m, (set*heights*classes+height*classes+int(classOf[s]))*squares*levels, &seenFrom[s], p)
			}
			sum += e.net.view(&m.sum, appendOthers(features[:0], p, uint8(side), s, set*setRows))
		}
	}
	return lanes.Score(sum) / Unit
}

// update brings m to the blocks of p. at is its first step.
func (e *Evaluator) update(m *memory, at int, seen *[32]uint8, p *rules.State) {
	rows := e.net.steps[at:][:squares*levels]
	a, b, c, d, f, g, h, i := m.sum.words()
	for k := range p.Above {
		now := p.Above[k]
		for changed := (m.above[k] ^ now) & rules.Board; changed != 0; changed &= changed - 1 {
			t := bits.TrailingZeros32(changed) & 31
			if r := &rows[int(seen[t])*levels+k]; now>>t&1 != 0 {
				a, b, c, d = a+r[0], b+r[1], c+r[2], d+r[3]
				f, g, h, i = f+r[4], g+r[5], h+r[6], i+r[7]
			} else {
				a, b, c, d = a-r[0], b-r[1], c-r[2], d-r[3]
				f, g, h, i = f-r[4], g-r[5], h-r[6], i-r[7]
			}
		}
	}
	m.sum, m.above = row{a, b, c, d, f, g, h, i}, p.Above
}
