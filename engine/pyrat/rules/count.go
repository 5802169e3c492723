package rules

import (
	"context"
	"slices"
)

// Count counts the sequences of depth turns. All 25 pairs of moves are
// different turns, even where they lead to the same position.
func (p *Position) Count(ctx context.Context, depth int) (uint64, error) {
	if depth == 0 {
		return 1, nil
	}
	return p.board.count(ctx, p.state, slices.Clone(p.cheese), depth)
}

func (b *Board) count(ctx context.Context, s State, cheese Set, depth int) (uint64, error) {
	if b.Over(&s) {
		return 0, nil
	}
	if depth == 1 {
		return NumMoves * NumMoves, nil
	}
	if depth > 2 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	var total uint64
	for rat := range Move(NumMoves) {
		for python := range Move(NumMoves) {
			next := s
			taken, n := next.Step(b.Maze, cheese, rat, python)
			for _, cell := range taken[:n] {
				cheese.Remove(int(cell))
			}
			below, err := b.count(ctx, next, cheese, depth-1)
			for _, cell := range taken[:n] {
				cheese.Add(int(cell))
			}
			if err != nil {
				return 0, err
			}
			total += below
		}
	}
	return total, nil
}
