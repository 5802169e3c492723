package gyges

import (
	"fmt"
	"math/bits"

	"thera/engine/game"
)

// legal says whether seat may make m.
func (w *walker) legal(b Board, seat game.Seat, m Move) bool {
	if b.active(seat)>>m.start()&1 == 0 {
		return false
	}
	found := w.ends(b, m.start(), seat, 0)
	if !m.replaces() {
		return found.empty>>m.end()&1 != 0
	}
	drops := b.dropZone(seat)&^b.occupied() | 1<<m.start()
	return found.pieces>>m.end()&1 != 0 && drops>>m.drop()&1 != 0
}

// explain names the rule that an illegal move breaks and a legal move near it.
func (w *walker) explain(b Board, seat game.Seat, m Move) (rule, near string) {
	start, end := m.start(), m.end()
	switch {
	case b.at(start) == 0:
		return fmt.Sprintf("no piece on %d", start), w.near(b, seat, m)
	case b.active(seat)>>start&1 == 0:
		return fmt.Sprintf("%d is not on the active line of player %d (row %d)", start, seat, b.activeRow(seat)), w.near(b, seat, m)
	}
	found := w.ends(b, start, seat, 0)
	near = w.near(b, seat, m)
	switch {
	case end >= squares && goalOf(seat)>>end&1 == 0:
		return fmt.Sprintf("%d is the mover's own goal", end), near
	case (found.empty|found.pieces)>>end&1 == 0:
		return w.whyUnreached(b, seat, start, end), near
	case !m.replaces():
		return fmt.Sprintf("%d holds a piece: it is bounced off or replaced, and a replaced piece is dropped", end), near
	case found.pieces>>end&1 == 0:
		return fmt.Sprintf("nothing stands on %d, so nothing is dropped", end), near
	case m.drop() == end:
		return fmt.Sprintf("drop on %d, where the moved piece stands", end), near
	case b.occupied()>>m.drop()&1 != 0 && m.drop() != start:
		return fmt.Sprintf("drop on %d, which is not empty", m.drop()), near
	}
	return fmt.Sprintf("drop on %d, behind the active line of player %d (row %d)", m.drop(), seat.Other(), b.activeRow(seat.Other())), near
}

// whyUnreached says why the piece on start can't end on end, by the first
// relaxation of the rules that lets it.
func (w *walker) whyUnreached(b Board, seat game.Seat, start, end int) string {
	value := b.at(start)
	switch {
	case relaxed(b, start, seat, true)>>end&1 != 0:
		return fmt.Sprintf("no way to %d without using an edge twice", end)
	case relaxed(b, start, seat, false)>>end&1 != 0:
		return fmt.Sprintf("every path from %d to %d (%d steps, then bounces) is blocked", start, end, value)
	}
	return fmt.Sprintf("%d cannot be reached from %d in exactly %d steps, with or without bounces", end, start, value)
}

// relaxed is the set of squares and goals that the piece on start would reach
// if edges could be used again in another bounce; blocked says whether pieces
// stand in the way.
func relaxed(b Board, start int, seat game.Seat, blocked bool) uint64 {
	value := b.at(start)
	b.clear(start)
	occupied := b.occupied()
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
			return found &^ goalOf(seat.Other())
		}
		sq = bits.TrailingZeros64(next)
		done |= 1 << sq
		value = b.at(sq)
	}
}

// near is the legal move that shares most with m: the start, then the end,
// then a drop close by; "" where there is none.
func (w *walker) near(b Board, seat game.Seat, m Move) string {
	best, text := -1, ""
	for _, legal := range w.generate(b, seat, nil) {
		score := 0
		if legal.start() == m.start() {
			score += 400
		}
		if legal.end() == m.end() {
			score += 200
		} else if legal.end() < squares && m.end() < squares {
			score += 10 - steps(legal.end(), m.end())
		}
		if legal.replaces() == m.replaces() {
			score += 20
			if legal.replaces() {
				score += 10 - steps(legal.drop(), m.drop())
			}
		}
		if score > best {
			best, text = score, legal.String()
		}
	}
	return text
}
