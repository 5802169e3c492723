package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/store"
	"thera/engine/game"
)

// dbFlag is the flag of all commands that read what was played.
func dbFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "db", defaultDB, "the database of runs")
}

// withStore opens the database at path, which must be there, for one command.
func withStore(cmd *cobra.Command, path string, do func(context.Context, *store.Store) error) (err error) {
	db, err := store.Existing(cmd.Context(), path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(cmd.Context(), db)
}

// runNamed is the run that the first of args names, or the latest one.
func runNamed(ctx context.Context, db *store.Store, args []string) (arena.RunInfo, error) {
	word := ""
	if len(args) > 0 {
		word = args[0]
	}
	return db.Find(ctx, word)
}

// gameOfRun is the run's game with the run's rules.
func gameOfRun(name, rules string) (game.Game, error) {
	g, err := findGame(name)
	if err != nil {
		return nil, err
	}
	settings, openings := g.Settings()
	if settings == nil || rules == "" {
		return g, nil
	}
	if err := json.Unmarshal([]byte(rules), settings); err != nil {
		return nil, fmt.Errorf("rules of the run: %w", err)
	}
	bound, problems := g.With(settings, openings)
	if len(problems) > 0 {
		return nil, fmt.Errorf("rules of the run: %w", problems[0])
	}
	return bound, nil
}
