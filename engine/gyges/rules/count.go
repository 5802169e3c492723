package rules

import (
	"context"

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
// the count of a board: boards transpose often. The ends of a side's pieces often
// depend only on the four rows before it, so at the last ply those are looked up
// first.
type counter struct {
	ctx    context.Context
	moves  *Generator
	frames [][]Move
	leaves []leaf
	inner  map[inner]tally
}

// leaf is a cache entry of the last ply: a board, or its four rows, with a seat
// and its sum. It packs 36 bits of lo and 28 of hi; then 8 of hi, 2 of seat, 1
// for four rows, 1 if four rows are not enough, and 12 for each number of the sum.
type leaf struct{ board, rest uint64 }

const (
	leafKey   = 0x7ff
	leafRows  = 1 << 10
	leafWider = 1 << 11
)

// inner is the cache key above the last ply.
type inner struct {
	board Board
	seat  game.Seat
	depth int
}

const (
	leafBits = 15
	maxInner = 1 << 16 // entries
)

func newCounter(ctx context.Context, depth int) *counter {
	c := &counter{ctx: ctx, moves: NewGenerator(), frames: make([][]Move, depth)}
	if depth > 2 {
		c.leaves = make([]leaf, 1<<leafBits)
		c.inner = make(map[inner]tally)
	}
	return c
}

func (c *counter) count(b Board, seat game.Seat, depth int) (tally, error) {
	if depth == 1 {
		return c.leaf(b, seat), nil
	}
	key := inner{b, seat, depth}
	if n, ok := c.inner[key]; ok {
		return n, nil
	}
	n, err := c.below(b, seat, depth)
	if c.inner != nil && len(c.inner) < maxInner {
		c.inner[key] = n
	}
	return n, err
}

// leaf counts the moves at the last ply.
func (c *counter) leaf(b Board, seat game.Seat) tally {
	if c.leaves == nil {
		return c.moves.count(b, seat)
	}
	rows := b.fourRows(seat)
	near := Board{b.lo & rows, b.hi & rows}
	e, board, key := c.at(near, seat, leafRows)
	if e.board == board && e.rest&leafKey == key {
		if e.rest&leafWider == 0 {
			return e.sum().tally(b.drops(seat))
		}
		wide, board, key := c.at(b, seat, 0)
		if wide.board == board && wide.rest&leafKey == key {
			return wide.sum().tally(b.drops(seat))
		}
		s := c.moves.sum(b, seat)
		*wide = pack(board, key, s)
		return s.tally(b.drops(seat))
	}
	s := c.moves.sum(b, seat)
	if c.moves.zone&fullBoard&^rows != 0 {
		*e = leaf{board, key | leafWider}
		e, board, key = c.at(b, seat, 0)
	}
	*e = pack(board, key, s)
	return s.tally(b.drops(seat))
}

// fourRows are the active row and the three before it: all that a move without
// bounces can reach.
func (b Board) fourRows(seat game.Seat) uint64 {
	const rows = uint64(1)<<24 - 1
	row := b.ActiveRow(seat)
	if seat == game.First {
		return rows << (6 * row) & fullBoard
	}
	return rows << 36 >> (6 * (9 - row)) & fullBoard
}

// at returns the cache entry of a board and its key.
func (c *counter) at(b Board, seat game.Seat, kind uint64) (e *leaf, board, key uint64) {
	return &c.leaves[(b.hash()^kind<<53)>>(64-leafBits)], b.lo | b.hi<<Squares, b.hi>>28 | uint64(seat)<<8 | kind
}

func pack(board, key uint64, s sum) leaf {
	return leaf{board, key | uint64(s.empty)<<12 | uint64(s.pieces)<<24 | uint64(s.wins)<<36}
}

func (l leaf) sum() sum {
	return sum{int(l.rest >> 12 & 0xfff), int(l.rest >> 24 & 0xfff), int(l.rest >> 36 & 0xfff)}
}

// below counts from a board that is not in the cache.
func (c *counter) below(b Board, seat game.Seat, depth int) (tally, error) {
	if err := c.ctx.Err(); err != nil {
		return tally{}, err
	}
	moves := c.moves.Moves(b, seat, c.frames[depth-1][:0])
	c.frames[depth-1] = moves
	var total tally
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
	return total, nil
}

// hash mixes the board's bits. Use its upper bits.
func (b Board) hash() uint64 {
	h := (b.lo ^ b.hi*0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	h ^= h >> 32
	return h * 0x94d049bb133111eb
}

// Key is the hash of the board with seat to move.
func (b Board) Key(seat game.Seat) uint64 {
	h := (b.lo | uint64(seat)<<Squares) * 0x9e3779b97f4a7c15
	h = (h ^ h>>29 ^ b.hi) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>32) * 0x94d049bb133111eb
	return h ^ h>>29
}
