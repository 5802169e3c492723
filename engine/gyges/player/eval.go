package player

import (
	"math/bits"

	"thera/engine/game"
	"thera/engine/gyges/player/net"
	"thera/engine/gyges/rules"
)

// weights are the weights of the evaluation; 100 is a clear advantage.
type weights struct {
	piece  int    // for each piece in reach
	square [6]int // for each empty square in reach, by row from the mover's home
	threat int    // the opponent could win if it were to move
	tempo  int
}

var byHand = weights{piece: 12, square: [6]int{2, 2, 4, 4, 6, 8}, threat: 60, tempo: 10}

// Evaluate is the evaluation of the net, or by hand if there is none.
func (t *tree) Evaluate() int {
	f := &t.frames[t.ply]
	t.fill(f)
	if !f.scanned {
		f.scanned = true
		t.look(&f.theirs, f.board, f.seat.Other(), false)
	}
	v := net.View{Board: f.board, Seat: f.seat, Mine: f.mine.all, Theirs: f.theirs.all}
	if t.net != nil {
		return t.net.Evaluate(&v)
	}
	return Hand(&v)
}

// Hand is the evaluation by hand. It compares the mobility of both sides. No side owns a
// piece, so there is no material to count.
func Hand(v *net.View) int {
	w := &byHand
	score := w.mobility(v.Mine, v.Seat) - w.mobility(v.Theirs, v.Seat.Other()) + w.tempo
	if v.Theirs.Empty&rules.GoalSet(v.Seat.Other()) != 0 {
		score -= w.threat
	}
	return score
}

func (w *weights) mobility(reach rules.Reach, seat game.Seat) int {
	score := w.piece * bits.OnesCount64(reach.Pieces)
	for row := range 6 {
		weight := w.square[row]
		if seat == game.Second {
			weight = w.square[5-row]
		}
		score += weight * bits.OnesCount64(reach.Empty>>(6*row)&0x3f)
	}
	return score
}
