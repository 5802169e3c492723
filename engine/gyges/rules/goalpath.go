package rules

import (
	"math/bits"

	"thera/engine/game"
)

// GoalPath finds a way into the goal for seat if it were to move. path is the set
// of squares that the way depends on: the piece's own, those it crosses and those
// it bounces off. A move that touches none of them, and none Behind the active
// row, leaves the way open.
func (w *Generator) GoalPath(b Board, seat game.Seat) (path uint64, found bool) {
	goal := GoalSet(seat)
	for active := b.Active(seat); active != 0; active &= active - 1 {
		start := bits.TrailingZeros64(active)
		if w.Ends(b, start, seat, goal).Empty&goal != 0 {
			return w.trace(b, start, goal), true
		}
	}
	return 0, false
}

// trace follows the hops back from the one at which ends found the goal.
func (w *Generator) trace(b Board, start int, goal uint64) (path uint64) {
	lifted := b.At(start)
	b.clear(start)
	occupied := b.Occupied()
	stand := func(at int) (f *fan, sq int, used uint64) {
		if at == 0 {
			return &w.fans[lifted][start], start, 0
		}
		h := &w.queue[at-1]
		return &w.fans[b.At(int(h.sq))][h.sq], int(h.sq), h.used
	}
	f, sq, used := stand(w.at)
	for open := f.open(sq, occupied); open != 0; open &= open - 1 {
		i := bits.TrailingZeros64(open) & 63
		if f.ways[i].end == goal && f.ways[i].edges&used == 0 {
			path |= f.between[i]
			break
		}
	}
	for at := w.at; at > 0; {
		h := w.queue[at-1]
		path |= 1 << h.sq
		at = int(h.parent)
		f, _, _ := stand(at)
		path |= f.between[h.way]
	}
	return path | 1<<start
}

// Behind is the set of squares behind seat's active row: a piece put there makes
// a new active row.
func (b Board) Behind(seat game.Seat) uint64 {
	return fullBoard &^ b.DropZone(seat.Other())
}
