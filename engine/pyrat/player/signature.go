package player

import (
	"context"

	"thera/engine/pyrat/rules"
)

// Signature plays three fixed mazes against Greedy. It returns the number of
// nodes that all searches made plus the number of turns, which changes with the
// play. The playouts must be limited.
func Signature(ctx context.Context, settings rules.Settings, options Options) (int64, error) {
	var nodes int64
	for seed, name := range []string{"tiny", "small", "medium"} {
		plan, _ := rules.Preset(name)
		pos, err := plan.Generate(uint64(seed), settings)
		if err != nil {
			return 0, err
		}
		rat, python := New(pos.Board(), options), New(pos.Board(), Options{Strategy: Greedy})
		for pos.ToMove() != 0 {
			pos = pos.After(rat.Think(ctx, pos, 0, 0, nil).Move, python.Think(ctx, pos, 1, 0, nil).Move)
			if err := ctx.Err(); err != nil {
				return 0, err
			}
		}
		nodes += rat.tree.grown + int64(pos.State().Turn)
	}
	return nodes, nil
}
