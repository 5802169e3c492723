package net

import (
	"math/bits"

	"thera/engine/santorini/rules"
)

// Evaluator evaluates the positions of a search. For each place it caches the last sum of
// rows of a worker at that place, and the blocks of that position. When a worker is there
// again, Evaluate adds and subtracts only the rows of the squares that have changed. So it
// need not know which turns are made and taken back. Two goroutines must not use an
// Evaluator at once.
//
// A place is the square of a worker plus 32 times its height.
type Evaluator struct {
	sums [2 * places]row   // by set of rows and place: the sum of the rows of a worker and of the blocks
	seen [2 * places]above // the blocks that each sum counts
	pool [2]row            // by set of rows: the activations

	above   above        // of the position
	workers [2][32]uint8 // by set of rows: their places
	counts  [2]uint64    // by set of rows: the number of workers
	sets    [2]*row      // the first row of each
	steps   *row
	head    *weights
	sight   *sight
	powers  []uint32 // for each worker the number of its rows of gods, then these rows; nil for mortals

	net    *Net
	memory []uint32      // of powers
	cache  [2]powerCache // by mover
}

// above has the squares that are higher than each of levels 0 to 3, two levels to a word.
type above [2]uint64

// NewEvaluator returns an evaluator of n.
func NewEvaluator(n *Net) *Evaluator {
	e := &Evaluator{net: n, steps: &n.steps[0], head: &n.head, sight: &geometry}
	for set := range e.sets {
		e.sets[set] = &n.rows[set*setRows]
		for height := range heights {
			for s := range squares {
				e.sums[set*places+height*32+s] = n.rows[set*setRows+atWorker+height*classes+int(classOf[s])]
			}
		}
	}
	return e
}

// Evaluate returns what Net.Evaluate returns.
func (e *Evaluator) Evaluate(p *rules.State) int {
	low, middle := p.Above[0], p.Above[1]
	e.above = above{uint64(low&rules.Board) | uint64(middle&rules.Board)<<32, uint64(p.Above[2]&rules.Board) | uint64(p.Above[3]&rules.Board)<<32}
	for set := range e.workers {
		list, n := &e.workers[set], 0
		for workers := p.Workers[(set^int(p.Mover))&1]; workers != 0; workers &= workers - 1 {
			s := bits.TrailingZeros32(workers) & 31
			list[n&31] = uint8(uint32(s) + (low>>s&1+middle>>s&1)*32)
			n++
		}
		e.counts[set] = uint64(n)
	}
	if e.powers = nil; p.Gods[0]|p.Gods[1] != rules.Mortal {
		e.listPowers(p)
	}
	return points(e.evaluate())
}

// listPowers sets e.powers to those of p.
func (e *Evaluator) listPowers(p *rules.State) {
	c := &e.cache[p.Mover&1]
	if c.gods != p.Gods || c.states != p.GodState {
		c.gods, c.states, c.have = p.Gods, p.GodState, [2]uint32{}
	}
	list := e.memory[:0]
	for set := range e.workers {
		for _, place := range e.workers[set][:e.counts[set]] {
			list = append(list, c.of(p, set, int(place&31))...)
		}
	}
	e.powers, e.memory = list, list
}

// powerCache has rows of gods for the gods of a position and their states.
type powerCache struct {
	gods   [2]rules.God
	states [2]uint32
	have   [2]uint32       // by set of rows: the squares in rows
	rows   [2][32][]uint32 // by set of rows and square of the worker: the number of rows, then these
}

// of returns the rows of the worker of a set on s, after their number.
func (c *powerCache) of(p *rules.State, set, s int) []uint32 {
	rows := &c.rows[set][s&31]
	if c.have[set]&rules.Bit(s) == 0 {
		var memory [maxFeatures]uint16
		found := appendPowers(memory[:0], p, (p.Mover^uint8(set))&1, s, 0)
		*rows = append((*rows)[:0], uint32(len(found)))
		for _, row := range found {
			*rows = append(*rows, uint32(row))
		}
		c.have[set] |= rules.Bit(s)
	}
	return *rows
}

// evaluateGeneric returns the value of the position in the fields of e, in the unit of
// secondGeneric.
func (e *Evaluator) evaluateGeneric() int32 {
	e.pool = [2]row{}
	powers := e.powers
	for set := range e.workers {
		rows := e.net.rows[set*setRows:][:setRows]
		mine, theirs := e.workers[set][:e.counts[set]], e.workers[set^1][:e.counts[set^1]]
		for i, place := range mine {
			sum := *e.follow(set, place)
			others := &e.sight.others[place&31]
			for j, other := range mine {
				if j != i {
					sum.add(&rows[atMate+int(others[other])])
				}
			}
			for _, other := range theirs {
				sum.add(&rows[atFoe+int(others[other])])
			}
			if powers != nil {
				n := powers[0]
				for _, row := range powers[1:][:n] {
					sum.add(&rows[row])
				}
				powers = powers[1+n:]
			}
			sum.activate(&e.pool[set])
		}
	}
	return secondGeneric(&e.pool, e.head, &e.net.second)
}

// follow updates the cached sum of a worker to the blocks of the position.
func (e *Evaluator) follow(set int, place uint8) *row {
	sum, seen := &e.sums[set*places+int(place)], &e.seen[set*places+int(place)]
	steps := e.net.steps[(set*heights*classes+int(e.sight.places[place]))*workerSteps:][:workerSteps]
	for k, now := range e.above {
		for changed := now ^ seen[k]; changed != 0; changed &= changed - 1 {
			at := bits.TrailingZeros64(changed)
			if step := &steps[e.sight.blocks[place&31][k*64+at]]; now>>at&1 != 0 {
				sum.add(step)
			} else {
				sum.subtract(step)
			}
		}
	}
	*seen = e.above
	return sum
}

// Kernel returns the name of the code that evaluates positions on this machine: AVX2 or
// portable.
func Kernel() string {
	if vector {
		return "AVX2"
	}
	return "portable"
}
