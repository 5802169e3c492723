package player

import (
	"math/bits"

	"thera/engine/santorini/rules"
)

// weights are the parameters of the evaluation, in hundredths of a clear advantage.
// They were fitted to the results of 8,000 games of self-play. Terms of a single god
// are in the god's file.
type weights struct {
	height  [4]int      // for each worker, by its level
	steps   [4][4]int   // for each free neighbour of it, by the worker's level and the neighbour's
	stuck   int         // for a worker that cannot step anywhere
	centre  [rings]ring // for a worker's square
	threat  int         // for a win that the opponent must stop now
	threats int         // for two or more of them, which one turn hardly stops
	tempo   int         // for being the mover
}

// ring is the value of a kind of square for a worker on the ground, on level 1 and
// on higher levels.
type ring [3]int

const rings = 6

var weight = weights{
	height: [4]int{-15, -7, 25, 25},
	steps: [4][4]int{
		{-12, 16, -15, -5},
		{-2, 22, 59, -4},
		{-7, 21, 82, 100},
		{-7, 21, 82, 20},
	},
	stuck: -104,
	centre: [rings]ring{
		{-79, -28, -42},
		{-27, -17, -4},
		{-22, -9, -5},
		{22, -5, 25},
		{25, 13, 27},
		{53, 34, 29},
	},
	threat: 40, threats: 300, tempo: 25,
}

// ringOf is the kind of each square: corner, next to a corner and middle of an edge;
// the same for the inner squares; and the centre.
var ringOf = [32]uint8{
	0, 1, 2, 1, 0,
	1, 3, 4, 3, 1,
	2, 4, 5, 4, 2,
	1, 3, 4, 3, 1,
	0, 1, 2, 1, 0,
}

// Evaluate is the value of the position for the mover.
func (b *board) Evaluate() int {
	if b.byNet {
		v, p := &b.values[b.at], b.now()
		if *v == unknown {
			*v = b.evaluators[p.Mover&1].Evaluate(p)
		}
		return *v
	}
	return Hand(b.now())
}

// Hand is the evaluation by hand of p, for the mover.
func Hand(p *rules.State) int {
	me := p.Mover & 1
	return evaluateSide(p, me) - evaluateSide(p, me^1) + weight.tempo
}

// standing is the value of a worker on s, of level h, next to these squares where it may
// step, if not too high.
func standing(p *rules.State, s, h int, around uint32) int {
	row := &weight.steps[h&3]
	up1 := around & p.Above[0]
	up2 := up1 & p.Above[1]
	up3 := up2 & p.Above[2]
	return weight.height[h&3] + weight.centre[ringOf[s&31]][min(h, 2)] +
		bits.OnesCount32(around&^up1)*row[0] + bits.OnesCount32(up1&^up2)*row[1] +
		bits.OnesCount32(up2&^up3)*row[2] + bits.OnesCount32(up3)*row[3]
}

// evaluateSide is the value of side's workers.
func evaluateSide(p *rules.State, side uint8) int {
	k := &weight
	side &= 1
	open := rules.Board &^ (p.Workers[0] | p.Workers[1] | p.Above[3])
	score, wins := 0, uint32(0)
	for set := p.Workers[side]; set != 0; set &= set - 1 {
		s := bits.TrailingZeros32(set) & 31
		h := p.Height(s) & 3
		around := rules.Neighbours(s) & open
		score += standing(p, s, h, around)
		if around&p.Climbable(h) == 0 {
			score += k.stuck
		}
		if h >= 2 {
			wins |= around & p.Above[2]
		}
	}
	if wins != 0 && side != p.Mover&1 {
		score += k.threat
		if wins&(wins-1) != 0 {
			score += k.threats
		}
	}
	if bonus := p.Gods[side].Bonus(); bonus != nil {
		score += bonus(p, int(side))
	}
	return score
}
