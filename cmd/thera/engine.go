package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"thera/arena/report"
)

// engineCommand runs the built-in engine of a game on stdin and stdout, or one of its
// tools.
func engineCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "engine GAME [ARGS…]",
		Short: "Run the built-in engine of a game, or one of its tools",
		Long: "Runs the built-in engine of a game on stdin and stdout, until quit or the end of stdin. Two engines have\n" +
			"tools; --help after their words lists the flags.\n\n" +
			"santorini datagen plays the engine against itself, from openings of random plies, and writes each quiet\n" +
			"position with the score of its search and the result of its game. In a quiet position neither side could\n" +
			"win with its next turn. The same settings give the same file, with any number of threads. The same command\n" +
			"goes on with a file that is not complete, also after kill -9; one of other settings, or of an engine that\n" +
			"plays otherwise, is refused. The format is in the documentation of package engine/santorini/selfplay.\n\n" +
			"mill tables solves endgames without men in hand, and writes one file to a folder for each pair of numbers\n" +
			"of men. A table may need smaller ones: these are read from the folder or solved first. The engine uses them\n" +
			"with the options PerfectDatabasePath and UsePerfectDatabase, a match with rules: {tables: FOLDER} and\n" +
			"adjudicate: {tables: true}.",
		Example: "  thera engine santorini datagen --out gods.games --games 20 --nodes 100\n" +
			"  thera engine mill tables --men 3-3,4-3,4-4 --out tables",
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] == "-h" || args[0] == "--help" {
				return cmd.Help()
			}
			g, err := findGame(args[0])
			if err != nil {
				return err
			}
			if len(args) > 1 {
				if flags := tools[args[0]+" "+args[1]]; flags != nil {
					return runTool(cmd, args[0]+" "+args[1], flags, args[2:])
				}
			}
			// An engine reads until quit or the end of its input. A signal
			// must end it at once, not after the next line.
			signal.Reset()
			return g.Serve(cmd.Context(), args[1:], cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
}

// tool does what its flags say.
type tool func(ctx context.Context, out, errOut io.Writer) error

// tools are what the engine of a game does besides playing.
var tools = map[string]func(*pflag.FlagSet) tool{"santorini datagen": datagenTool, "mill tables": tablesTool}

func runTool(cmd *cobra.Command, name string, add func(*pflag.FlagSet) tool, args []string) error {
	flags := pflag.NewFlagSet(name, pflag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprintf(cmd.OutOrStdout(), "Usage:\n  thera engine %s [flags]\n\nFlags:\n%s", name, flags.FlagUsagesWrapped(columns(cmd)))
	}
	do := add(flags)
	switch err := flags.Parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		return nil
	case err != nil:
		return err
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected %q", report.Printable(flags.Arg(0)))
	}
	return do(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
}
