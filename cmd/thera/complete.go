package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/files"
	"thera/arena/report"
	"thera/arena/store"
	"thera/arena/tournament"
	"thera/cmd/thera/starters"
	"thera/engine/all"
	"thera/engine/game"
)

// complete adds what a shell offers for the arguments and flags of a command.
func complete(cmd *cobra.Command) {
	switch cmd.Name() {
	case "results", "games", "export", "runs":
		cmd.ValidArgsFunction = fromStore(func(ctx context.Context, db *store.Store) (words []string) {
			runs, _ := db.Runs(ctx) // damaged ones are not offered
			for _, run := range runs {
				words = append(words, run.Name)
			}
			return words
		})
	case "replay":
		cmd.ValidArgsFunction = fromStore(func(ctx context.Context, db *store.Store) (words []string) {
			runs, err := db.Runs(ctx)
			if err != nil || len(runs) == 0 {
				return nil
			}
			for rec, err := range db.Games(ctx, runs[0].ID, false) {
				if err != nil || len(words) == 100 {
					break
				}
				words = append(words, arena.Short(rec.ID))
			}
			return words
		})
	case "engine", "judge", "moves", "perft", "bench":
		cmd.ValidArgsFunction = offer(gameNames)
	case "gods":
		cmd.ValidArgsFunction = offer(roleNames)
	}
	flags := map[string]func() []string{
		"game": gameNames, "table": report.TableNames, "gods": roleNames,
		"limit":       func() []string { return assigned(arena.LimitKinds()) },
		"concurrency": func() []string { return []string{"auto"} },
		"sandbox":     func() []string { return []string{"auto", "require", "off"} },
		"engine":      func() []string { return starters.Languages("santorini") },
	}
	switch cmd.Name() {
	case "vs", "init":
		flags["format"] = tournament.Names
	case "results", "history", "test", "bisect", "tune":
		flags["format"] = func() (words []string) {
			for _, f := range report.Formats() {
				words = append(words, string(f))
			}
			return words
		}
	case "export":
		flags["format"] = formatNames
	}
	if cmd.Flags().Lookup("set") != nil {
		_ = cmd.RegisterFlagCompletionFunc("set", offerSettings)
	}
	for name, words := range flags {
		if cmd.Flags().Lookup(name) != nil {
			_ = cmd.RegisterFlagCompletionFunc(name, offer(words)) // it fails only for unknown flags
		}
	}
	for _, sub := range cmd.Commands() {
		complete(sub)
	}
}

// offer offers fixed words. They are made when a shell asks: the command tree is
// built by every command, an engine that starts for one game included.
func offer(words func() []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return words(), cobra.ShellCompDirectiveNoFileComp
	}
}

// offerSettings offers the keys of --set: of the match that the command plays, or of any.
func offerSettings(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var text []byte
	switch {
	case len(args) == 0: // the keys are those of any file
	case cmd.Name() == "run":
		text, _ = files.Read(args[0], 1<<20) // without it too
	case cmd.Name() == "vs", cmd.Name() == "init":
		q := config.Quick{Game: "santorini", Commands: args, Format: "round-robin"}
		return assigned(q.SetKeys()), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	return assigned(config.SetKeys(text)), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// assigned are words to be followed by a value.
func assigned(keys []string) []string {
	words := make([]string, len(keys))
	for i, key := range keys {
		words[i] = key + "="
	}
	return words
}

// fromStore offers words of the database that the command would read. Without a
// database it offers nothing.
func fromStore(words func(context.Context, *store.Store) []string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) (found []string, _ cobra.ShellCompDirective) {
		path, err := cmd.Flags().GetString("db")
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		_ = withStore(cmd, path, func(ctx context.Context, db *store.Store) error {
			found = slices.DeleteFunc(words(ctx, db), func(word string) bool { return slices.Contains(args, word) })
			return nil
		})
		return found, cobra.ShellCompDirectiveNoFileComp
	}
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
