package main

import (
	"errors"
	"flag"
	"fmt"
	"os/signal"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"thera/engine/all"
	"thera/engine/mill/player/tables"
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

// makeTables solves endgames of Mill and writes them as tables.
func makeTables(cmd *cobra.Command, args []string) error {
	flags := flag.NewFlagSet("thera engine mill tables", flag.ContinueOnError)
	flags.SetOutput(cmd.ErrOrStderr())
	men := flags.String("men", "3-3,4-3,4-4", "numbers of men of the two sides, 3 to 9 each")
	folder := flags.String("out", "tables", "folder to write to")
	grounded := flags.Bool("no-flying", false, "solve for the rule flying: false")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return err
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected %q", flags.Arg(0))
	}
	var all [][2]int
	for _, text := range strings.Split(*men, ",") {
		var a, b int
		if n, _ := fmt.Sscanf(text, "%d-%d", &a, &b); n != 2 {
			return fmt.Errorf("--men: %q: want two numbers of men such as 4-3", text)
		}
		needs, err := tables.Needs(a, b)
		if err != nil {
			return fmt.Errorf("--men: %w", err)
		}
		all = append(all, needs...)
	}
	made := tables.New(!*grounded)
	for _, n := range all {
		if made.Has(n[0], n[1]) {
			continue
		}
		begin, how := time.Now(), "read"
		if made.Load(*folder, n[0], n[1]) != nil {
			how = "solved"
			if _, err := made.Solve(cmd.Context(), n[0], n[1]); err != nil {
				return err
			}
			if _, err := made.Save(*folder, n[0], n[1]); err != nil {
				return fmt.Errorf("table %d-%d was not written: %w", n[0], n[1], err)
			}
		}
		st := made.Stats(n[0], n[1])
		fmt.Fprintf(cmd.OutOrStdout(), "%d-%d %s in %.1fs: %d positions, %d won, %d lost, %d drawn, longest win %d turns\n",
			n[0], n[1], how, time.Since(begin).Seconds(), st.Positions, st.Won, st.Lost, st.Drawn, st.Longest)
	}
	return nil
}
