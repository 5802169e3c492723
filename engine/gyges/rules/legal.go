package rules

import (
	"fmt"
	"math/bits"

	"thera/engine/game"
)

// Legal says whether seat may make m.
func (w *Generator) Legal(b Board, seat game.Seat, m Move) bool {
	if b.Active(seat)>>m.Start()&1 == 0 {
		return false
	}
	found := w.Ends(b, m.Start(), seat, 0)
	if !m.Replaces() {
		return found.Empty>>m.End()&1 != 0
	}
	drops := b.DropZone(seat)&^b.Occupied() | 1<<m.Start()
	return found.Pieces>>m.End()&1 != 0 && drops>>m.Drop()&1 != 0
}

// Explain names the rule that an illegal move breaks and a legal move near it.
func (w *Generator) Explain(b Board, seat game.Seat, m Move) (rule, near string) {
	start, end := m.Start(), m.End()
	switch {
	case b.At(start) == 0:
		return fmt.Sprintf("no piece on %d", start), w.near(b, seat, m)
	case b.Active(seat)>>start&1 == 0:
		return fmt.Sprintf("%d is not on the active line of player %d (row %d)", start, seat, b.ActiveRow(seat)), w.near(b, seat, m)
	}
	found := w.Ends(b, start, seat, 0)
	near = w.near(b, seat, m)
	switch {
	case end >= Squares && GoalSet(seat)>>end&1 == 0:
		return fmt.Sprintf("%d is the mover's own goal", end), near
	case (found.Empty|found.Pieces)>>end&1 == 0:
		return w.whyUnreached(b, seat, start, end), near
	case !m.Replaces():
		return fmt.Sprintf("%d holds a piece: it is bounced off or replaced, and a replaced piece is dropped", end), near
	case found.Pieces>>end&1 == 0:
		return fmt.Sprintf("nothing stands on %d, so nothing is dropped", end), near
	case m.Drop() == end:
		return fmt.Sprintf("drop on %d, where the moved piece stands", end), near
	case b.Occupied()>>m.Drop()&1 != 0 && m.Drop() != start:
		return fmt.Sprintf("drop on %d, which is not empty", m.Drop()), near
	}
	return fmt.Sprintf("drop on %d, behind the active line of player %d (row %d)", m.Drop(), seat.Other(), b.ActiveRow(seat.Other())), near
}

// whyUnreached says why the piece on start cannot end on end, by the first
// relaxation of the rules under which it can.
func (w *Generator) whyUnreached(b Board, seat game.Seat, start, end int) string {
	value := b.At(start)
	switch {
	case relaxed(b, start, seat, true)>>end&1 != 0:
		return fmt.Sprintf("no way to %d without using an edge twice", end)
	case relaxed(b, start, seat, false)>>end&1 != 0:
		return fmt.Sprintf("every path from %d to %d (%d steps, then bounces) is blocked", start, end, value)
	}
	return fmt.Sprintf("%d cannot be reached from %d in exactly %d steps, with or without bounces", end, start, value)
}

// relaxed is the set of squares and goals that the piece on start reaches if
// edges may be used again after a bounce. blocked tells whether pieces block.
func relaxed(b Board, start int, seat game.Seat, blocked bool) uint64 {
	value := b.At(start)
	b.clear(start)
	occupied := b.Occupied()
	var found, done uint64
	for sq := start; ; {
		f := &fans[value][sq]
		open := f.all
		if blocked {
			open = f.open(sq, occupied)
		}
		for ; open != 0; open &= open - 1 {
			found |= f.ways[bits.TrailingZeros64(open)&63].end
		}
		next := found & occupied &^ done
		if next == 0 {
			return found &^ GoalSet(seat.Other())
		}
		sq = bits.TrailingZeros64(next)
		done |= 1 << sq
		value = b.At(sq)
	}
}

// near is the legal move most similar to m, by start, then end, then drop, or ""
// if there is none.
func (w *Generator) near(b Board, seat game.Seat, m Move) string {
	best, text := -1, ""
	for _, legal := range w.Moves(b, seat, nil) {
		score := 0
		if legal.Start() == m.Start() {
			score += 400
		}
		if legal.End() == m.End() {
			score += 200
		} else if legal.End() < Squares && m.End() < Squares {
			score += 10 - steps(legal.End(), m.End())
		}
		if legal.Replaces() == m.Replaces() {
			score += 20
			if legal.Replaces() {
				score += 10 - steps(legal.Drop(), m.Drop())
			}
		}
		if score > best {
			best, text = score, legal.String()
		}
	}
	return text
}
