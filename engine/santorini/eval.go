package santorini

// weights are the evaluation's numbers, in hundredths of a clear advantage.
// All of them are here; a god's own terms stand in its file. They were fitted
// to the results of 8,000 games of the player against itself.
type weights struct {
	height  [4]int      // of each worker, by its level
	steps   [4][4]int   // of each free square beside it, by the worker's level and the square's
	stuck   int         // of a worker that cannot step anywhere
	centre  [rings]ring // of a worker's square
	threat  int         // of a win that the opponent must stop now
	threats int         // of two or more of them: one turn hardly stops both
	tempo   int         // of being the mover
}

// ring is the worth of a kind of square for a worker on the ground, on level 1
// and higher.
type ring [3]int

const rings = 6

var plainWeights = weights{
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

// ringOf is the kind of each square: corner, beside a corner, middle of an
// edge, and the same within, the middle last.
var ringOf = [32]uint8{
	0, 1, 2, 1, 0,
	1, 3, 4, 3, 1,
	2, 4, 5, 4, 2,
	1, 3, 4, 3, 1,
	0, 1, 2, 1, 0,
}

// Evaluate is the value for the side to move.
func (w *walker) Evaluate() int {
	p := w.now()
	me := p.mover & 1
	return w.stand(p, me) - w.stand(p, me^1) + plainWeights.tempo
}

// stand is what side's workers are worth.
func (w *walker) stand(p *state, side uint8) int {
	k := &plainWeights
	side &= 1
	open := board &^ (p.workers[0] | p.workers[1] | p.up[3])
	score, won := 0, uint32(0)
	for set := p.workers[side]; set != 0; set &= set - 1 {
		s := lowest(set) & 31
		h := p.height(s) & 3
		if w.on&knowHeight != 0 {
			score += k.height[h]
		}
		if w.on&knowCentre != 0 {
			score += k.centre[ringOf[s]][min(h, 2)]
		}
		around := near[s] & open
		if w.on&knowReach != 0 {
			row := &k.steps[h]
			a := around & p.up[0]
			b := a & p.up[1]
			c := b & p.up[2]
			score += size(around&^a)*row[0] + size(a&^b)*row[1] + size(b&^c)*row[2] + size(c)*row[3]
			if around&p.climbable(h) == 0 {
				score += k.stuck
			}
		}
		if h >= 2 {
			won |= around & p.up[2]
		}
	}
	if won != 0 && w.on&knowThreats != 0 && side != p.mover&1 {
		score += k.threat
		if won&(won-1) != 0 {
			score += k.threats
		}
	}
	if value := gods[p.god[side]].player.value; value != nil {
		score += value(p, int(side))
	}
	return score
}
