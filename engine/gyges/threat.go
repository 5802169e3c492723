package gyges

import (
	"math/bits"

	"thera/engine/game"
)

// goalPath seeks a way by which seat could enter the goal if it were to move:
// the squares that it depends on, which are the piece's own, those it crosses
// and those it bounces off. What touches none of them, and puts no piece
// behind the active line, leaves the way open.
func (w *walker) goalPath(b Board, seat game.Seat) (path uint64, found bool) {
	goal := goalOf(seat)
	for active := b.active(seat); active != 0; active &= active - 1 {
		start := bits.TrailingZeros64(active)
		if w.ends(b, start, seat, goal).empty&goal != 0 {
			return w.trace(b, start, goal), true
		}
	}
	return 0, false
}

// trace follows the hops back from the one at which ends found the goal.
func (w *walker) trace(b Board, start int, goal uint64) (path uint64) {
	lifted := b.at(start)
	b.clear(start)
	occupied := b.occupied()
	stand := func(at int) (f *fan, sq int, used uint64) {
		if at == 0 {
			return &fans[lifted][start], start, 0
		}
		h := &w.queue[at-1]
		return &fans[b.at(int(h.sq))][h.sq], int(h.sq), h.used
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

// behind is the set of squares behind seat's active line: a piece that comes
// to stand there is a new active line.
func (b Board) behind(seat game.Seat) uint64 {
	return fullBoard &^ b.dropZone(seat.Other())
}
