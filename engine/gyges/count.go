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
	c := counter{ctx: ctx, walk: newWalker(), frames: make([][]Move, depth)}
	return c.count(p.board, p.mover, depth)
}

type counter struct {
	ctx    context.Context
	walk   *walker
	frames [][]Move
	wins   uint64 // sequences counted whose last move enters a goal
}

func (c *counter) count(b Board, seat game.Seat, depth int) (uint64, error) {
	if depth == 1 {
		n, wins := c.walk.count(b, seat)
		c.wins += uint64(wins)
		return uint64(n), nil
	}
	if depth > 2 {
		if err := c.ctx.Err(); err != nil {
			return 0, err
		}
	}
	moves := c.walk.generate(b, seat, c.frames[depth-1][:0])
	c.frames[depth-1] = moves
	var total uint64
	for _, m := range moves {
		if m.end() >= squares {
			continue
		}
		n, err := c.count(b.after(m), seat.Other(), depth-1)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}
