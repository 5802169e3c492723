package main

import (
	"context"

	"github.com/spf13/cobra"

	"thera/arena/report"
	"thera/arena/store"
	"thera/arena/tournament"
	"thera/engine/all"
	"thera/engine/game"
)

// complete adds what a shell offers for the arguments and flags of commands. The words
// are made when it asks: every command builds the tree of all.
func complete(root *cobra.Command) {
	formats := map[string]func() []string{"vs": tournament.Names, "init": tournament.Names, "export": formatNames}
	for _, cmd := range root.Commands() {
		if formats[cmd.Name()] == nil {
			formats[cmd.Name()] = tableFormats
		}
		switch cmd.Name() {
		case "results", "games", "export", "runs":
			cmd.ValidArgsFunction = offerRuns
		case "engine", "judge", "moves", "perft", "bench":
			cmd.ValidArgsFunction = offer(gameNames)
		case "gods":
			cmd.ValidArgsFunction = offer(roleNames)
		}
		for flag, words := range map[string]func() []string{
			"game": gameNames, "gods": roleNames, "table": report.TableNames, "format": formats[cmd.Name()],
			"sandbox": func() []string { return []string{"auto", "require", "off"} },
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
		for _, run := range runs {
			names = append(names, run.Name)
		}
		return nil
	})
	return names, cobra.ShellCompDirectiveNoFileComp
}

func tableFormats() (names []string) {
	for _, form := range report.Formats() {
		names = append(names, string(form))
	}
	return names
}

func gameNames() (names []string) {
	for _, g := range all.Games() {
		names = append(names, g.Name())
	}
	return names
}

func roleNames() (names []string) {
	for _, g := range all.Games() {
		if catalog, ok := g.(game.RoleCatalog); ok {
			for _, role := range catalog.Roles() {
				names = append(names, role.Name)
			}
		}
	}
	return names
}
