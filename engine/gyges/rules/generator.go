package rules

import (
	"math/bits"

	"thera/engine/game"
)

// Reach is the set of ends of one piece: empty squares and goals, and pieces that
// it may replace.
type Reach struct{ Empty, Pieces uint64 }

// Add makes r the union with other.
func (r *Reach) Add(other Reach) {
	r.Empty |= other.Empty
	r.Pieces |= other.Pieces
}

// Generator generates moves. It finds the ends of a piece by breadth-first
// search over hops: a hop stands on a square, has used some edges, and goes on
// with the value of the piece there. A hop is dropped if an earlier one on its
// square used a subset of its edges: it finds nothing new.
//
// A Generator reuses its memory, so only one goroutine may use it at a time.
type Generator struct {
	fans  *[4][Squares]fan
	queue []hop
	seen  [Squares][]uint64 // used edges of the hops so far, by square
	last  []uint64          // the edges of last ways to missing ends
	at    int               // the hop at which Ends stopped, counted from 1
}

type hop struct {
	used   uint64
	parent uint16 // the hop before it, counted from 1; 0 is the start
	sq     uint8
	way    uint8 // from the parent
}

// NewGenerator returns a generator.
func NewGenerator() *Generator {
	w := &Generator{fans: fans(), queue: make([]hop, 0, 256)}
	for sq := range w.seen {
		w.seen[sq] = make([]uint64, 0, 32)
	}
	return w
}

// GoalSet is the set of the one goal that seat may enter.
func GoalSet(seat game.Seat) uint64 {
	if seat == game.First {
		return 1 << Goal2
	}
	return 1 << Goal1
}

// Ends returns where the piece on start may end, as if its start square were
// empty. It stops as soon as it finds a square or goal of until; with 0 it finds
// all.
func (w *Generator) Ends(b Board, start int, seat game.Seat, until uint64) Reach {
	value := b.At(start)
	b.clear(start)
	occupied := b.Occupied()
	ignored := GoalSet(seat.Other())
	ends, visited, wanted := uint64(0), uint64(0), uint64(0)
	used, sq := uint64(0), start
	w.queue = w.queue[:0]
search:
	for next := 0; ; next++ {
		f := &w.fans[value][sq]
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
		if next >= lookAhead && ends&occupied&^visited == 0 {
			if wanted == 0 || wanted&ends != 0 {
				if wanted = w.relax(b, occupied, ends); wanted == 0 {
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
		value = b.At(sq)
		visited |= 1 << sq
	}
	for touched := ends & occupied; touched != 0; touched &= touched - 1 {
		sq := bits.TrailingZeros64(touched)
		w.seen[sq] = w.seen[sq][:0]
	}
	return Reach{Empty: ends &^ (occupied | ignored), Pieces: ends & occupied}
}

// lookAhead is the number of hops after which Ends begins to prune: most pieces
// need fewer.
const lookAhead = 6

// relax returns the ends that are missing but could be reached from the pieces
// found if edges could be used again, and collects the last ways to them.
func (w *Generator) relax(b Board, occupied, ends uint64) (missing uint64) {
	w.last = w.last[:0]
	for pieces := ends & occupied; pieces != 0; pieces &= pieces - 1 {
		sq := bits.TrailingZeros64(pieces)
		f := &w.fans[b.At(sq)][sq]
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

// hopeful reports whether a hop that has used these edges may still take one of
// the last ways.
func (w *Generator) hopeful(used uint64) bool {
	for _, edges := range w.last {
		if edges&used == 0 {
			return true
		}
	}
	return false
}

// push adds a hop on the piece at end, unless an earlier one there used a subset
// of its edges.
func (w *Generator) push(end uint64, h hop) {
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

// Moves appends all moves of seat, each triple once, in the order of start,
// end and drop.
func (w *Generator) Moves(b Board, seat game.Seat, moves []Move) []Move {
	zone := b.DropZone(seat) &^ b.Occupied()
	for active := b.Active(seat); active != 0; active &= active - 1 {
		start := bits.TrailingZeros64(active)
		found := w.Ends(b, start, seat, 0)
		drops := zone | 1<<start
		for ends := found.Empty | found.Pieces; ends != 0; ends &= ends - 1 {
			end := bits.TrailingZeros64(ends)
			if found.Empty>>end&1 != 0 {
				moves = append(moves, NewMove(start, end, NoDrop))
				continue
			}
			for rest := drops; rest != 0; rest &= rest - 1 {
				moves = append(moves, NewMove(start, end, bits.TrailingZeros64(rest)))
			}
		}
	}
	return moves
}

// CanMove reports whether seat has a move.
func (w *Generator) CanMove(b Board, seat game.Seat) bool {
	for active := b.Active(seat); active != 0; active &= active - 1 {
		if found := w.Ends(b, bits.TrailingZeros64(active), seat, 0); found.Empty|found.Pieces != 0 {
			return true
		}
	}
	return false
}
