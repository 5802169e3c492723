package player

import (
	"math/bits"

	"thera/engine/santorini/rules"
)

// ordering estimates turns before any search: by how much they change the evaluation by hand.
// It ignores that workers are in each other's way, and most of what powers do.
type ordering struct {
	position *rules.State
	step     rules.Move // of the last move estimated
	base     int32      // the value of that step
	moved    *[8]int32  // of a block next to To for the worker that moves, by the level below it
	mated    *[8]int32  // for the other worker, if it glides
	other    *builds    // of blocks for all other workers

	level   [32]uint8 // of the squares
	theirs  builds    // of the opponent's workers
	builds  [2]builds // without either worker of the mover
	homes   [2]uint32 // their squares, as sets
	staying [2]int32  // what they are worth there
}

// builds has the value of one level more on each square.
type builds [32]int32

// orderUnit is the order of a hundredth of an advantage.
const orderUnit = 16

// begin prepares for the turns of p.
func (o *ordering) begin(p *rules.State) {
	o.position, o.step = p, 1<<10-1
	o.level = [32]uint8{}
	for _, above := range p.Above {
		for set := above & rules.Board; set != 0; set &= set - 1 {
			o.level[bits.TrailingZeros32(set)&31]++
		}
	}
	me := p.Mover & 1
	open := rules.Board &^ (p.Workers[0] | p.Workers[1] | p.Above[3])
	o.theirs = builds{}
	for w := p.Workers[me^1]; w != 0; w &= w - 1 {
		o.add(&o.theirs, bits.TrailingZeros32(w)&31, open, -1)
	}
	o.builds = [2]builds{o.theirs, o.theirs}
	i := 0
	for w := p.Workers[me]; w != 0 && i < 2; w &= w - 1 {
		s := bits.TrailingZeros32(w) & 31
		o.add(&o.builds[1-i], s, open, 1)
		o.homes[i], o.staying[i] = w&-w, o.standing(s, open)
		i++
	}
}

// add adds what blocks are worth to the worker on s.
func (o *ordering) add(b *builds, s int, open uint32, sign int) {
	row := &gains[o.level[s]&3]
	for set := rules.Neighbours(s) & open; set != 0; set &= set - 1 {
		t := bits.TrailingZeros32(set) & 31
		b[t] += int32(sign) * row[o.level[t]&7]
	}
}

// standing is the value of a worker on s.
func (o *ordering) standing(s int, open uint32) int32 {
	return int32(standing(o.position, s, int(o.level[s])&3, rules.Neighbours(s)&open)) * orderUnit
}

// gains is what a worker on a level gains by a block next to it, by the level below the block.
var gains = func() (gains [4][8]int32) {
	for h, row := range weight.steps {
		for level := range 3 {
			gains[h][level] = int32(row[level+1]-row[level]) * orderUnit
		}
		gains[h][3] = -int32(row[3]) * orderUnit
	}
	return gains
}()

// estimate is quick if turns with the same step follow each other.
func (o *ordering) estimate(m rules.Move) int32 {
	if m.Step() != o.step {
		o.prepare(m)
	}
	value := o.base + o.block(m.Built())
	if m.Special() {
		value += o.special(m)
	}
	return max(-9000, min(value, 9000))
}

// block is the value of a block on s.
func (o *ordering) block(s int) int32 { return o.other[s&31] + o.moved[o.level[s&31]&7] }

// special is what turns are worth that do more than one step and one block.
func (o *ordering) special(m rules.Move) int32 {
	switch {
	case m.Mate() != rules.NoSquare:
		return o.glide(m)
	case m.Second() != rules.NoSquare:
		return o.block(m.Second())
	case m.Built() == m.To():
		return 30 * orderUnit // it lifts the worker
	}
	return o.block(m.Built()) / 2
}

// glide corrects block where both workers glide: a block next to the worker on Mate is worth
// something to it, and one that is not next to the worker on To is worth nothing to that one.
func (o *ordering) glide(m rules.Move) (value int32) {
	s := m.Built()
	if rules.Neighbours(m.To())&rules.Bit(s) == 0 {
		value -= o.moved[o.level[s&31]&7]
	}
	if rules.Neighbours(m.Mate())&rules.Bit(s) != 0 {
		value += o.mated[o.level[s&31]&7]
	}
	return value
}

// prepare computes what all turns with the step of m have in common.
func (o *ordering) prepare(m rules.Move) {
	o.step = m.Step()
	p := o.position
	from, to := rules.Bit(m.From()), m.To()&31
	o.moved = &gains[o.level[to]&3]
	if mate := m.Mate(); mate != rules.NoSquare {
		open := rules.Board &^ (p.Workers[p.Mover&1^1] | p.Above[3])
		o.base = o.standing(to, open&^rules.Bit(mate)) + o.standing(mate, open&^rules.Bit(to)) - o.staying[0] - o.staying[1]
		o.other, o.mated = &o.theirs, &gains[o.level[mate&31]&3]
		return
	}
	i := 0
	if o.homes[0] != from {
		i = 1
	}
	open := rules.Board &^ ((p.Workers[0] | p.Workers[1] | p.Above[3]) &^ from)
	o.base = o.standing(to, open) - o.staying[i]
	o.other = &o.builds[i]
}
