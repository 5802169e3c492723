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
	last  []uint64          // the edges of last ways to what is missing
	at    int               // the hop at which ends stopped, counted from 1
	zone  uint64            // what the ends found so far depend on, for those who clear it
}

type hop struct {
	used   uint64
	parent uint16 // the hop before it, counted from 1; 0 is the start
	sq     uint8
	way    uint8 // taken from there
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
	ends, visited, wanted := uint64(0), uint64(0), uint64(0)
	used, sq := uint64(0), start
	w.queue = w.queue[:0]
search:
	for next := 0; ; next++ {
		f := &fans[value][sq]
		w.zone |= f.zone
		for open := f.open(sq, occupied); open != 0; open &= open - 1 {
			i := bits.TrailingZeros64(open) & 63
			way := &f.ways[i]
			if way.edges&used != 0 {
				continue
			}
			ends |= way.end
			if occupied&way.end != 0 {
				w.push(way.end, hop{used: used | way.edges, parent: uint16(next), way: uint8(i)})
			}
		}
		if next >= len(w.queue) || until&ends != 0 {
			w.at = next
			break
		}
		if next >= patience && ends&occupied&^visited == 0 {
			if wanted == 0 || wanted&ends != 0 {
				if wanted = w.aim(b, occupied, ends); wanted == 0 {
					break
				}
			}
			for !w.hopeful(w.queue[next].used) {
				if next++; next == len(w.queue) {
					break search
				}
			}
		}
		used, sq = w.queue[next].used, int(w.queue[next].sq)
		value = b.at(sq)
		visited |= 1 << sq
	}
	for touched := ends & occupied; touched != 0; touched &= touched - 1 {
		sq := bits.TrailingZeros64(touched)
		w.seen[sq] = w.seen[sq][:0]
	}
	return reach{empty: ends &^ (occupied | ignored), pieces: ends & occupied}
}

// patience is the number of hops before the walker looks ahead: most pieces
// need fewer.
const patience = 6

// aim collects the last ways, from the pieces found, to ends that were not
// found but would be there if edges could be used again; it returns these.
func (w *walker) aim(b Board, occupied, ends uint64) (missing uint64) {
	w.last = w.last[:0]
	for pieces := ends & occupied; pieces != 0; pieces &= pieces - 1 {
		sq := bits.TrailingZeros64(pieces)
		f := &fans[b.at(sq)][sq]
		for open := f.open(sq, occupied); open != 0; open &= open - 1 {
			way := &f.ways[bits.TrailingZeros64(open)&63]
			if way.end&^ends != 0 {
				missing |= way.end
				w.last = append(w.last, way.edges)
			}
		}
	}
	return missing
}

// hopeful says whether a hop that has used these edges may still take one of
// the last ways: used edges only become more.
func (w *walker) hopeful(used uint64) bool {
	for _, edges := range w.last {
		if edges&used == 0 {
			return true
		}
	}
	return false
}

// push adds a hop on the piece at end, unless one before it there had no more
// edges used.
func (w *walker) push(end uint64, h hop) {
	h.sq = uint8(bits.TrailingZeros64(end))
	seen := w.seen[h.sq]
	for _, earlier := range seen {
		if earlier&^h.used == 0 {
			return
		}
	}
	w.seen[h.sq] = append(seen, h.used)
	w.queue = append(w.queue, h)
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

// sum is what seat's pieces can reach, counted over all starts.
type sum struct{ empty, pieces, wins int }

// tally is the number of moves, given the number of squares to drop on.
func (s sum) tally(drops int) tally {
	return tally{uint64(s.empty + drops*s.pieces), uint64(s.wins)}
}

// drops counts where seat may drop a replaced piece.
func (b Board) drops(seat game.Seat) int {
	return bits.OnesCount64(b.dropZone(seat)&^b.occupied()) + 1
}

// sum counts, and leaves in w.zone what it depends on.
func (w *walker) sum(b Board, seat game.Seat) (s sum) {
	w.zone = 0
	for active := b.active(seat); active != 0; active &= active - 1 {
		found := w.ends(b, bits.TrailingZeros64(active), seat, 0)
		s.empty += bits.OnesCount64(found.empty)
		s.pieces += bits.OnesCount64(found.pieces)
		s.wins += bits.OnesCount64(found.empty &^ fullBoard)
	}
	return s
}

// count is the number of moves that generate would append, and how many of
// them enter the goal.
func (w *walker) count(b Board, seat game.Seat) tally {
	return w.sum(b, seat).tally(b.drops(seat))
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
