package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"thera/arena/report"

	"github.com/spf13/cobra"

	"thera/engine/game"
)

// perftCommand counts the leaves of the game tree, one JSON object a depth.
func perftCommand() *cobra.Command {
	const short = "Count the sequences of exactly 1, 2, … DEPTH turns from a position"
	args := cobra.ExactArgs(3)
	return gameCommand("perft GAME POSITION DEPTH", short, args, func(cmd *cobra.Command, g game.Game, args []string) error {
		pos, err := g.Parse(args[1])
		if err != nil {
			return err
		}
		depth, err := strconv.Atoi(args[2])
		if err != nil || depth < 1 {
			return fmt.Errorf("depth %q: want a whole number from 1", args[2])
		}
		enc := report.NewJSON(cmd.OutOrStdout())
		for d := 1; d <= depth; d++ {
			begin := time.Now()
			n, err := count(cmd.Context(), pos, d)
			if err != nil {
				return err
			}
			line := struct {
				Depth   int     `json:"depth"`
				Nodes   uint64  `json:"nodes"`
				Seconds float64 `json:"seconds"`
			}{d, n, time.Since(begin).Seconds()}
			if err := enc.Encode(line); err != nil {
				return err
			}
		}
		return nil
	})
}

func count(ctx context.Context, pos game.Position, depth int) (uint64, error) {
	if c, ok := pos.(game.Counter); ok {
		return c.Count(ctx, depth)
	}
	return countByPlay(ctx, pos, depth)
}

// countByPlay counts by playing every move, for games without a counter.
func countByPlay(ctx context.Context, pos game.Position, depth int) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if depth == 0 {
		return 1, nil
	}
	if _, over := pos.Outcome(); over {
		return 0, nil
	}
	var total uint64
	for _, turn := range game.TurnsFrom(pos) {
		next, err := pos.Play(turn)
		if err != nil {
			return 0, fmt.Errorf("the rules refuse their own move %s: %w", turn, err)
		}
		n, err := countByPlay(ctx, next, depth-1)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}
