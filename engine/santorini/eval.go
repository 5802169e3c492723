package santorini

// weights are the evaluation's numbers, in hundredths of a clear advantage.
// All of them are here; a god's own terms stand in its file.
type weights struct {
	height  [4]int    // of each worker, by its level
	steps   [4][5]int // of each square it can step on, by its level and the square's
	centre  int       // of each step from the edge towards the centre
	threat  int       // of a win that the opponent must stop now
	threats int       // of two or more of them: one turn hardly stops both
	tempo   int       // of being the mover
}

var plainWeights = weights{
	height: [4]int{0, 30, 80, 90},
	steps: [4][5]int{
		{1, 10, 0, 0, 0},
		{1, 5, 24, 0, 0},
		{0, 3, 14, 60, 0},
		{0, 2, 10, 30, 0},
	},
	centre: 6, threat: 40, threats: 300, tempo: 20,
}

// centre is 0 on corners, up to 4 in the middle.
var centre = [32]int{
	0, 1, 1, 1, 0,
	1, 3, 3, 3, 1,
	1, 3, 4, 3, 1,
	1, 3, 3, 3, 1,
	0, 1, 1, 1, 0,
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
	open := board &^ (p.workers[0] | p.workers[1] | p.up[3])
	score, won := 0, uint32(0)
	for set := p.workers[side&1]; set != 0; set &= set - 1 {
		s := lowest(set) & 31
		h := p.height(s)
		if w.on&knowHeight != 0 {
			score += k.height[h&3]
		}
		if w.on&knowCentre != 0 {
			score += centre[s] * k.centre
		}
		around := near[s] & open
		if w.on&knowReach != 0 {
			row := &k.steps[h&3]
			above := around & p.up[0]
			score += size(around&^above) * row[0]
			if above != 0 {
				second := above & p.up[1]
				score += size(above&^second) * row[1]
				if second != 0 {
					third := second & p.up[2]
					score += size(second&^third)*row[2] + size(third)*row[3]
				}
			}
		}
		if h >= 2 {
			won |= around & p.up[2]
		}
	}
	if won != 0 && w.on&knowThreats != 0 && side&1 != p.mover&1 {
		score += k.threat
		if won&(won-1) != 0 {
			score += k.threats
		}
	}
	if value := gods[p.god[side&1]].player.value; value != nil {
		score += value(p, int(side&1))
	}
	return score
}
