package gyges

import (
	"math/bits"

	"thera/engine/game"
)

// The evaluation's weights, in hundredths of a clear advantage.
const (
	weightPiece  = 12 // for each piece in reach
	weightSquare = 2  // for each empty square in reach, times the row's weight
	weightThreat = 60 // the other side would win if it were to move
	weightTempo  = 10
)

// rowWeight is worth more the nearer to the goal, from the mover's home.
var rowWeight = [6]int{1, 1, 2, 2, 3, 4}

// Evaluate weighs what both sides can reach: nobody owns a piece, so freedom
// to bounce is all there is to own.
func (t *tree) Evaluate() int {
	f := &t.frames[t.ply]
	t.fill(f)
	if !f.scanned {
		f.scanned = true
		t.look(&f.theirs, f.board, f.seat.Other(), false)
	}
	score := freedom(&f.mine, f.seat) - freedom(&f.theirs, f.seat.Other()) + weightTempo
	if f.theirs.empty&goalOf(f.seat.Other()) != 0 {
		score -= weightThreat
	}
	return score
}

func freedom(v *view, seat game.Seat) int {
	score := weightPiece * bits.OnesCount64(v.pieces)
	for row := range 6 {
		weight := rowWeight[row]
		if seat == game.Second {
			weight = rowWeight[5-row]
		}
		score += weightSquare * weight * bits.OnesCount64(v.empty>>(6*row)&0x3f)
	}
	return score
}

// guess orders quiet moves before anything was learned about them.
func (t *tree) guess(_ *frame, _ int, _ Move, _ int) int32 { return 0 }
