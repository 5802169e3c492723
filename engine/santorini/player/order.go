package player

import (
	"math/bits"

	"thera/engine/santorini/rules"
)

// ordering estimates turns before any search: it prefers to climb, then to move
// towards the centre and to build what the mover, but not the opponent, can climb.
type ordering struct {
	position *rules.State
	step     rules.Move // From and To of the last move estimated
	base     int32      // the value of that step
	same     int32      // the value of a block on a square of the same level as To
	level    uint32     // those squares

	buildValue [32]int32 // by square: the value of hindering the opponent with a block
}

// orderUnit scales the estimates to the values of the history.
const orderUnit = 2

// begin prepares for the turns of p.
func (o *ordering) begin(p *rules.State) {
	o.position, o.step = p, 1<<10-1
	o.buildValue = [32]int32{}
	for w := p.Workers[p.Mover&1^1]; w != 0; w &= w - 1 {
		s := bits.TrailingZeros32(w)
		around := rules.Neighbours(s)
		o.fill(around&p.Above[2], 600) // the opponent could step up there
		if h := p.Height(s); h > 0 {
			o.fill(around&p.Level(1), -600) // the opponent could then climb there
			if h > 1 {
				o.fill(around&p.Level(2), -900)
			}
		}
	}
}

func (o *ordering) fill(set uint32, worth int32) {
	for ; set != 0; set &= set - 1 {
		o.buildValue[bits.TrailingZeros32(set)&31] = worth * orderUnit
	}
}

// estimate is quick if turns with the same step follow each other.
func (o *ordering) estimate(m rules.Move) int32 {
	if m&(1<<10-1) != o.step {
		o.prepare(m)
	}
	built := uint32(m>>10) & 31
	return o.base + o.buildValue[built] + o.same*int32(o.level>>built&1)
}

// prepare computes what all turns with the step of m have in common.
func (o *ordering) prepare(m rules.Move) {
	o.step = m & (1<<10 - 1)
	from, to := m.From(), m.To()
	level := o.position.Height(to)
	o.base = (int32(level-o.position.Height(from))*1200 + int32(ringOf[to])*30 - int32(ringOf[from])*30) * orderUnit
	o.same = int32(level+1) * 150 * orderUnit
	o.level = o.position.Level(level)
}
