package pyrat

import (
	"context"
	"fmt"
	"strconv"
)

// Signature plays fixed mazes against the greedy player and counts the tree's
// nodes. switches are engine options; Playouts is fixed at 500 unless given.
func (g *Game) Signature(ctx context.Context, switches map[string]string) (int64, error) {
	strategy, depth, playouts := search, defaultDepth, 500
	for name, value := range switches {
		n, err := strconv.Atoi(value)
		switch {
		case name == "Strategy" && (value == greedy || value == balanced || value == search):
			strategy = value
		case name == "SearchDepth" && err == nil && n >= 1 && n <= maxDepth:
			depth = n
		case name == "Playouts" && err == nil && n >= 1 && n <= maxPlayouts:
			playouts = n
		default:
			return 0, fmt.Errorf("option %s: %q cannot be set", name, value)
		}
	}
	var nodes int64
	for seed, name := range []string{"tiny", "small", "medium"} {
		p, err := presetPlan(name).generate(uint64(seed), g.rules)
		if err != nil {
			return 0, err
		}
		players := [2]*brain{newBrain(p.board, strategy, depth, playouts), newBrain(p.board, greedy, 1, 0)}
		for p.end() == running {
			var turn [2]string
			for i, b := range players {
				t := b.think(ctx, p, i, 0, nil)
				turn[i] = letters[t.move : t.move+1]
			}
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			if p, err = p.play(turn); err != nil {
				return 0, err
			}
			nodes += int64(len(players[0].tree.nodes))
		}
		nodes += int64(p.turn)
	}
	return nodes, nil
}
