package main

import (
	"os/signal"

	"github.com/spf13/cobra"
)

// engineCommand runs the built-in engine of a game on stdin and stdout.
func engineCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "engine GAME [ARGS…]",
		Short:              "Run the built-in engine of a game on stdin and stdout",
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] == "-h" || args[0] == "--help" {
				return cmd.Help()
			}
			g, err := findGame(args[0])
			if err != nil {
				return err
			}
			// An engine reads until quit or the end of its input. A signal
			// must end it at once, not after the next line.
			signal.Reset()
			return g.Serve(cmd.Context(), args[1:], cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
}
