package gyges

import (
	"context"

	"thera/engine/game"
)

// Count is the number of sequences of exactly depth moves from the position.
// A goal move ends its sequence. Repetition and the ply cap, which depend on
// the history, are left out: it counts what the board allows.
func (p *position) Count(ctx context.Context, depth int) (uint64, error) {
	if depth == 0 {
		return 1, nil
	}
	if p.over {
		return 0, nil
	}
	n, err := newCounter(ctx, depth).count(p.board, p.mover, depth)
	return n.moves, err
}

// tally counts sequences, and among them those that end in a goal.
type tally struct{ moves, wins uint64 }

// counter counts lines of play in bulk: the last move is not made, and what is
// below a board that was met before is remembered. Boards recur often: a piece
// dropped here and another moved there leave the same twelve.
type counter struct {
	ctx    context.Context
	walk   *walker
	frames [][]Move
	leaves []leaf
	inner  map[inner]tally
}

// leaf is a board with a seat and its numbers of moves and goal moves, packed:
// 36 bits of lo and 28 of hi, then 8 of hi, 2 of seat, 38 of moves, 16 of wins.
type leaf struct{ board, rest uint64 }

// inner is a board above the leaves.
type inner struct {
	board Board
	seat  game.Seat
	depth int
}

const (
	leafBits  = 15
	innerMost = 1 << 16 // boards remembered
)

func newCounter(ctx context.Context, depth int) *counter {
	c := &counter{ctx: ctx, walk: newWalker(), frames: make([][]Move, depth)}
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
	if c.inner != nil && len(c.inner) < innerMost {
		c.inner[key] = n
	}
	return n, err
}

func (c *counter) leaf(b Board, seat game.Seat) tally {
	if c.leaves == nil {
		return c.walk.count(b, seat)
	}
	board, rest := b.lo|b.hi<<squares, b.hi>>28|uint64(seat)<<8
	e := &c.leaves[b.hash()>>(64-leafBits)]
	if e.board == board && e.rest&0x3ff == rest {
		return tally{e.rest >> 10 & (1<<38 - 1), e.rest >> 48}
	}
	n := c.walk.count(b, seat)
	*e = leaf{board, rest | n.moves<<10 | n.wins<<48}
	return n
}

// below counts from a board that is not remembered.
func (c *counter) below(b Board, seat game.Seat, depth int) (tally, error) {
	if err := c.ctx.Err(); err != nil {
		return tally{}, err
	}
	moves := c.walk.generate(b, seat, c.frames[depth-1][:0])
	c.frames[depth-1] = moves
	var total tally
	for _, m := range moves {
		if m.end() >= squares {
			continue
		}
		n, err := c.count(b.after(m), seat.Other(), depth-1)
		if err != nil {
			return tally{}, err
		}
		total.moves += n.moves
		total.wins += n.wins
	}
	return total, nil
}

// hash mixes the board's bits; its upper bits are good.
func (b Board) hash() uint64 {
	h := (b.lo ^ b.hi*0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	h ^= h >> 32
	return h * 0x94d049bb133111eb
}
