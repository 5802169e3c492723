package gyges

import (
	"math/bits"

	"thera/engine/game"
)

// reach is where one piece may end: empty squares and goals, and pieces that
// it may replace.
type reach struct{ empty, pieces uint64 }

// walker finds the ends of moves without recursion. It works through hops: a
// piece stands on a square, has used some edges, and goes on with the value it
// found there. Hops come in order of bounces, so small sets of used edges come
// first, and a hop that may use no edge that an earlier one there could not is
// dropped: it can't find more.
//
// A walker keeps its memory between calls; it is for one goroutine.
type walker struct {
	queue []hop
	seen  [squares][]uint64 // used edges of the hops so far, by square
}

type hop struct {
	used uint64
	sq   uint8
}

func newWalker() *walker {
	w := &walker{queue: make([]hop, 0, 256)}
	for sq := range w.seen {
		w.seen[sq] = make([]uint64, 0, 32)
	}
	return w
}

// goalOf is the set that holds the goal seat may enter.
func goalOf(seat game.Seat) uint64 {
	if seat == game.First {
		return 1 << goal2
	}
	return 1 << goal1
}

// ends finds where the piece on start may end. The start square is empty for
// it. until stops early when one of these squares or goals is found (0: find
// all).
func (w *walker) ends(b Board, start int, seat game.Seat, until uint64) reach {
	value := b.at(start)
	b.clear(start)
	occupied := b.occupied()
	ignored := goalOf(seat.Other())
	var found reach
	var touched uint64
	used, sq := uint64(0), start
	w.queue = w.queue[:0]
	for next := 0; ; next++ {
		f := &fans[value][sq]
		for open := f.open(sq, occupied); open != 0; open &= open - 1 {
			i := bits.TrailingZeros64(open)
			if f.edges[i]&used != 0 {
				continue
			}
			end := f.end[i]
			if occupied>>end&1 == 0 {
				found.empty |= 1 << end
				continue
			}
			found.pieces |= 1 << end
			touched |= 1 << end
			w.push(end, used|f.edges[i])
		}
		if until != 0 && (found.empty|found.pieces)&until&^ignored != 0 || next >= len(w.queue) {
			break
		}
		used, sq = w.queue[next].used, int(w.queue[next].sq)
		value = b.at(sq)
	}
	for ; touched != 0; touched &= touched - 1 {
		sq := bits.TrailingZeros64(touched)
		w.seen[sq] = w.seen[sq][:0]
	}
	found.empty &^= ignored
	return found
}

func (w *walker) push(sq uint8, used uint64) {
	seen := w.seen[sq]
	for _, earlier := range seen {
		if earlier&^used == 0 {
			return
		}
	}
	w.seen[sq] = append(seen, used)
	w.queue = append(w.queue, hop{used, sq})
}

// generate appends all moves of seat, each triple once, in the order of start,
// end and drop.
func (w *walker) generate(b Board, seat game.Seat, moves []Move) []Move {
	zone := b.dropZone(seat) &^ b.occupied()
	for active := b.active(seat); active != 0; active &= active - 1 {
		start := bits.TrailingZeros64(active)
		found := w.ends(b, start, seat, 0)
		drops := zone | 1<<start
		for ends := found.empty | found.pieces; ends != 0; ends &= ends - 1 {
			end := bits.TrailingZeros64(ends)
			if found.empty>>end&1 != 0 {
				moves = append(moves, newMove(start, end, noDrop))
				continue
			}
			for rest := drops; rest != 0; rest &= rest - 1 {
				moves = append(moves, newMove(start, end, bits.TrailingZeros64(rest)))
			}
		}
	}
	return moves
}

// count is the number of moves that generate would append, and how many of
// them enter the goal.
func (w *walker) count(b Board, seat game.Seat) (moves, wins int) {
	drops := bits.OnesCount64(b.dropZone(seat)&^b.occupied()) + 1
	for active := b.active(seat); active != 0; active &= active - 1 {
		found := w.ends(b, bits.TrailingZeros64(active), seat, 0)
		moves += bits.OnesCount64(found.empty) + drops*bits.OnesCount64(found.pieces)
		wins += bits.OnesCount64(found.empty &^ fullBoard)
	}
	return moves, wins
}

// wins says whether seat can enter the goal with its next move.
func (w *walker) wins(b Board, seat game.Seat) bool {
	for active := b.active(seat); active != 0; active &= active - 1 {
		found := w.ends(b, bits.TrailingZeros64(active), seat, goalOf(seat))
		if found.empty&goalOf(seat) != 0 {
			return true
		}
	}
	return false
}

// canMove says whether seat has any move.
func (w *walker) canMove(b Board, seat game.Seat) bool {
	for active := b.active(seat); active != 0; active &= active - 1 {
		if found := w.ends(b, bits.TrailingZeros64(active), seat, 0); found.empty|found.pieces != 0 {
			return true
		}
	}
	return false
}
