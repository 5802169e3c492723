package rules

import (
	"context"
	"math/bits"

	"thera/engine/game"
)

// Count is perft: the number of sequences of exactly depth moves from b, with seat
// to move. A goal move ends its sequence. The error is that of ctx.
func Count(ctx context.Context, b Board, seat game.Seat, depth int) (uint64, error) {
	if depth == 0 {
		return 1, nil
	}
	n, err := newCounter(ctx, depth).count(b, seat, depth)
	return n.moves, err
}

// tally counts sequences, and among them those that end in a goal.
type tally struct{ moves, wins uint64 }

// counter counts move sequences. It does not make the last move, and it caches
// the count of a board: boards transpose often.
type counter struct {
	ctx    context.Context
	moves  *Generator
	frames [][]Move
	known  map[counted]tally
}

// counted is the key of the cache.
type counted struct {
	board Board
	seat  game.Seat
	depth int
}

// maxCounted is the number of boards that the cache holds.
const maxCounted = 1 << 18

func newCounter(ctx context.Context, depth int) *counter {
	return &counter{ctx: ctx, moves: NewGenerator(), frames: make([][]Move, depth), known: map[counted]tally{}}
}

func (c *counter) count(b Board, seat game.Seat, depth int) (total tally, err error) {
	key := counted{b, seat, depth}
	if n, ok := c.known[key]; ok {
		return n, nil
	}
	if depth == 1 {
		total = c.moves.count(b, seat)
	} else {
		if err := c.ctx.Err(); err != nil {
			return tally{}, err
		}
		moves := c.moves.Moves(b, seat, c.frames[depth-1][:0])
		c.frames[depth-1] = moves
		for _, m := range moves {
			if m.End() >= Squares {
				continue
			}
			n, err := c.count(b.After(m), seat.Other(), depth-1)
			if err != nil {
				return tally{}, err
			}
			total.moves += n.moves
			total.wins += n.wins
		}
	}
	if len(c.known) < maxCounted {
		c.known[key] = total
	}
	return total, nil
}

// count is the number of moves, and the number of those that enter the goal.
func (w *Generator) count(b Board, seat game.Seat) (n tally) {
	drops := bits.OnesCount64(b.DropZone(seat)&^b.Occupied()) + 1
	for active := b.Active(seat); active != 0; active &= active - 1 {
		found := w.Ends(b, bits.TrailingZeros64(active), seat, 0)
		n.moves += uint64(bits.OnesCount64(found.Empty) + drops*bits.OnesCount64(found.Pieces))
		n.wins += uint64(bits.OnesCount64(found.Empty &^ fullBoard))
	}
	return n
}

// Key is the hash of the board with seat to move.
func (b Board) Key(seat game.Seat) uint64 {
	h := (b.lo | uint64(seat)<<Squares) * 0x9e3779b97f4a7c15
	h = (h ^ h>>29 ^ b.hi) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>32) * 0x94d049bb133111eb
	return h ^ h>>29
}
