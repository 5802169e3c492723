package main

import (
	"context"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/report"
	"thera/arena/store"
	"thera/arena/tournament"
	"thera/engine/all"
	"thera/engine/game"
)

// complete adds what a shell offers for the arguments and flags of commands. The words
// are made when it asks: every command builds the tree of all.
func complete(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "results", "games", "export", "runs":
			cmd.ValidArgsFunction = offerRuns
		case "engine", "judge", "moves", "perft", "bench":
			cmd.ValidArgsFunction = offer(gameNames)
		case "gods":
			cmd.ValidArgsFunction = offer(roleNames)
		}
		for flag, words := range map[string]func() []string{
			"game": gameNames, "gods": roleNames, "table": report.TableNames, "sandbox": func() []string { return sandboxModes },
			"format": func() []string {
				switch cmd.Name() {
				case "vs", "init":
					return tournament.Names()
				case "export":
					return exportFormats
				}
				return tableForms
			},
		} {
			if cmd.Flags().Lookup(flag) != nil {
				_ = cmd.RegisterFlagCompletionFunc(flag, offer(words)) // it fails only for unknown flags
			}
		}
	}
}

// offer offers fixed words.
func offer(words func() []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return words(), cobra.ShellCompDirectiveNoFileComp
	}
}

// offerRuns offers the runs of the database that the command would read.
func offerRuns(cmd *cobra.Command, _ []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	path, _ := cmd.Flags().GetString("db")
	_ = withStore(cmd, path, func(ctx context.Context, db *store.Store) error { // without one it offers nothing
		runs, _ := db.Runs(ctx)
		names = arena.Map(runs, func(run arena.RunInfo) string { return run.Name })
		return nil
	})
	return names, cobra.ShellCompDirectiveNoFileComp
}

func gameNames() []string { return arena.Map(all.Games(), game.Game.Name) }

func roleNames() []string { return arena.Map(roles(), func(r game.Role) string { return r.Name }) }
