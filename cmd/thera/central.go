package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/central"
	"thera/arena/config"
	"thera/arena/report"
)

// centralCommand steps through one game between two bots.
func centralCommand() *cobra.Command {
	var (
		gameName, limit string
		rules           []string
		engine          engineFlags
	)
	cmd := &cobra.Command{
		Use:   "central BOT1 BOT2",
		Short: "Step through a game between two bots by commands",
		Long: `central starts two bots and executes commands from stdin, one a line. The first letter of a command
is enough:

  run           start both bots, or start them again
  run FILE      the same, from a saved game
  next          ask the next bot for its move
  print         draw the position
  undo          take back the last move, on both bots
  save [FILE]   save the game (GAME-N.save by default); never overwrites a file
  quit          end both bots

A bot is a command line, or the word builtin for the built-in engine. Errors go to stderr,
everything else to stdout.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := findGameWith(gameName, rules)
			if err != nil {
				return err
			}
			c := &central.Central{Game: g, Rules: rules, Out: cmd.OutOrStdout(), Err: cmd.ErrOrStderr()}
			if c.Limit, err = config.ParseLimit(limit); err != nil {
				return fmt.Errorf("--limit: %w", err)
			}
			if c.Bots, err = bots(args, gameName, engine.protocol); err != nil {
				return err
			}
			if c.Boxes, err = engine.boxes(cmd.ErrOrStderr(), &c.Bots[0], &c.Bots[1]); err != nil {
				return err
			}
			if report.IsTerminal(cmd.InOrStdin()) {
				c.Prompt = "> "
			}
			c.Colour = report.Escapes(cmd.OutOrStdout())
			return c.Serve(cmd.Context(), interruptible(cmd.Context(), cmd.InOrStdin()))
		},
	}
	gameFlag(cmd, &gameName, "hex", "which game")
	limitFlag(cmd, &limit, "60s")
	engine.flags(cmd)
	ruleFlag(cmd, &rules)
	return cmd
}

// bots makes engines of two command lines. Whether they start is checked by
// run.
func bots(args []string, gameName, protocol string) (specs [2]arena.EngineSpec, err error) {
	for i, arg := range args {
		words, err := config.SplitWords(arg)
		if err != nil || len(words) == 0 {
			return specs, fmt.Errorf("bot %q: no command line: %w", arg, err)
		}
		spec := arena.EngineSpec{Name: filepath.Base(words[0]), Command: words, Protocol: protocol}
		if arg == "builtin" {
			self, err := os.Executable()
			if err != nil {
				return specs, fmt.Errorf("finding this program: %w", err)
			}
			spec.Builtin, spec.Command = true, []string{self, "engine", gameName}
		}
		specs[i] = spec
	}
	if specs[0].Name == specs[1].Name {
		specs[0].Name += "-1"
		specs[1].Name += "-2"
	}
	return specs, nil
}
