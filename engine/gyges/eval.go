package gyges

import (
	"math/bits"

	"thera/engine/game"
)

// weights are the evaluation's, in hundredths of a clear advantage.
type weights struct {
	piece  int    // for each piece in reach
	square [6]int // for each empty square in reach, by row from the mover's home
	threat int    // the other side would win if it were to move
	tempo  int
}

func defaultWeights() weights {
	return weights{piece: 12, square: [6]int{2, 2, 4, 4, 6, 8}, threat: 60, tempo: 10}
}

// Evaluate weighs what both sides can reach: nobody owns a piece, so freedom
// to bounce is all there is to own.
func (t *tree) Evaluate() int {
	f := &t.frames[t.ply]
	t.fill(f)
	if !f.scanned {
		f.scanned = true
		t.look(&f.theirs, f.board, f.seat.Other(), false)
	}
	score := t.weights.freedom(&f.mine, f.seat) - t.weights.freedom(&f.theirs, f.seat.Other()) + t.weights.tempo
	if f.theirs.empty&goalOf(f.seat.Other()) != 0 {
		score -= t.weights.threat
	}
	return score
}

func (w *weights) freedom(v *view, seat game.Seat) int {
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
