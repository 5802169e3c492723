package hex

import (
	"context"
	"fmt"

	"thera/engine/game"
)

// nodesAPlayout is what one playout on a usual board is worth in moves.
const nodesAPlayout = 100

// Expect estimates the first seat's expected score with playouts of about so
// many moves.
func (h *Hex) Expect(ctx context.Context, pos game.Position, nodes int64) (float64, error) {
	p, ok := pos.(*position)
	if !ok {
		return 0, fmt.Errorf("position %s is not one of hex", pos)
	}
	turn, value := p.winner, 1.0
	if p.winner == none {
		playouts := int(min(max(nodes/nodesAPlayout, 1), 1_000_000))
		turn = p.turn
		value = newThinker(p.rules.Size, 1).search(ctx, p.stones.cells, turn, budget{playouts: playouts}).value
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	if p.seatOf(turn) == game.Second {
		value = 1 - value
	}
	return value, nil
}

// Signature is the number of tree nodes that the built-in player grows on a
// fixed set of positions. switches are its options by name.
func (h *Hex) Signature(ctx context.Context, switches map[string]string) (int64, error) {
	b := newBot()
	b.budget = budget{playouts: 1000}
	for name, value := range switches {
		if err := b.set(name, value); err != nil {
			return 0, err
		}
	}
	total := int64(0)
	for _, text := range []string{"5", "7 a1 d4", "9 b4 e5 g3", "11", "11 a2 f6 d8 h4", "13 c3"} {
		pos, err := h.Parse(text)
		if err != nil {
			return 0, fmt.Errorf("signature: %w", err)
		}
		p := pos.(*position)
		b.reset(p.rules.Size)
		b.choose(ctx, p.rules.Size, p.stones.cells, p.turn)
		total += int64(len(b.thinker.tree))
	}
	return total, ctx.Err()
}
