package pyrat

import (
	"context"
	"slices"
)

// Count counts sequences of depth turns. All 25 pairs of requests are
// different turns, also where they come to the same.
func (p *position) Count(ctx context.Context, depth int) (uint64, error) {
	if depth == 0 {
		return 1, nil
	}
	return p.count(ctx, p.state, slices.Clone(p.cheese), depth)
}

func (p *position) count(ctx context.Context, s state, c cheeses, depth int) (uint64, error) {
	if s.finished(p.board.total, p.board.maxTurns) != running {
		return 0, nil
	}
	if depth == 1 {
		return moves * moves, nil
	}
	if depth > 2 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	var total uint64
	for rat := range uint8(moves) {
		for python := range uint8(moves) {
			next := s
			took := next.step(p.board.maze, c, rat, python)
			for _, cell := range took {
				if cell >= 0 {
					c.remove(cell)
				}
			}
			n, err := p.count(ctx, next, c, depth-1)
			for _, cell := range took {
				if cell >= 0 {
					c.add(cell)
				}
			}
			if err != nil {
				return 0, err
			}
			total += n
		}
	}
	return total, nil
}
