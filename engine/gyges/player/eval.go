package player

import (
	"math/bits"

	"thera/engine/game"
	"thera/engine/gyges/rules"
)

// weights are the weights of the evaluation; 100 is a clear advantage.
type weights struct {
	piece  int    // for each piece in reach
	square [6]int // for each empty square in reach, by row from the mover's home
	threat int    // the opponent could win if it were to move
	tempo  int
}

func defaultWeights() weights {
	return weights{piece: 12, square: [6]int{2, 2, 4, 4, 6, 8}, threat: 60, tempo: 10}
}

// Evaluate compares the mobility of both sides. No side owns a piece, so there is
// no material to count.
func (t *tree) Evaluate() int {
	f := &t.frames[t.ply]
	t.fill(f)
	if !f.scanned {
		f.scanned = true
		t.look(&f.theirs, f.board, f.seat.Other(), false)
	}
	score := t.weights.mobility(&f.mine, f.seat) - t.weights.mobility(&f.theirs, f.seat.Other()) + t.weights.tempo
	if f.theirs.empty&rules.GoalSet(f.seat.Other()) != 0 {
		score -= t.weights.threat
	}
	return score
}

func (w *weights) mobility(v *view, seat game.Seat) int {
	score := w.piece * bits.OnesCount64(v.pieces)
	for row := range 6 {
		weight := w.square[row]
		if seat == game.Second {
			weight = w.square[5-row]
		}
		score += weight * bits.OnesCount64(v.empty>>(6*row)&0x3f)
	}
	return score
}
