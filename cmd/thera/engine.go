package main

import (
	"os/signal"

	"github.com/spf13/cobra"

	"thera/engine/all"
)

// engineCommand runs the built-in engine of a game on stdin and stdout, or makes the tables
// of Mill's.
func engineCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "engine GAME [ARGS…]",
		Short:              "Run the built-in engine of a game, or make its tables",
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] == "-h" || args[0] == "--help" {
				return cmd.Help()
			}
			g, err := findGame(args[0])
			if err != nil {
				return err
			}
			if len(args) > 1 && args[0] == "mill" && args[1] == "tables" {
				return makeTables(cmd, args[2:])
			}
			// An engine reads until quit or the end of its input. A signal
			// must end it at once, not after the next line.
			signal.Reset()
			return all.Player(g.Name()).Serve(cmd.Context(), args[1:], cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
}
