package main

import (
	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/central"
	"thera/arena/report"
)

// centralCommand steps through one game between two bots.
func centralCommand() *cobra.Command {
	var f engineFlags
	cmd := &cobra.Command{
		Use:   "central BOT1 BOT2",
		Short: "Step through a game between two bots by commands",
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			plan, boxes, err := f.plan(f.game, "", cmd.ErrOrStderr(), args...)
			if err != nil {
				return showProblems(cmd, err)
			}
			c := &central.Central{
				Game: plan.Game, Rules: f.rules, Bots: [2]arena.EngineSpec(plan.Engines), Boxes: boxes, Limit: plan.Limit,
				Out: cmd.OutOrStdout(), Err: cmd.ErrOrStderr(),
			}
			if report.IsTerminal(cmd.InOrStdin()) {
				c.Prompt = "> "
			}
			c.Colour = report.Escapes(cmd.OutOrStdout())
			return c.Serve(cmd.Context(), interruptible(cmd.Context(), cmd.InOrStdin()))
		},
	}
	cmd.Flags().StringVar(&f.game, "game", "hex", "which game")
	limitFlag(cmd, &f.limit, "60s")
	f.flags(cmd)
	return cmd
}
