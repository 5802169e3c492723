package main

import (
	"context"
	"errors"
	"iter"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/store"
	"thera/arena/tournament"
)

// withStore opens the existing database at path for one command.
func withStore(cmd *cobra.Command, path string, do func(context.Context, *store.Store) error) (err error) {
	db, err := store.Existing(cmd.Context(), path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(cmd.Context(), db)
}

// withRun opens a database for the run that the first argument names, or the latest one.
func withRun(
	cmd *cobra.Command, path string, args []string, do func(context.Context, *store.Store, arena.RunInfo) error,
) error {
	return withStore(cmd, path, func(ctx context.Context, db *store.Store) error {
		name := ""
		if len(args) > 0 {
			name = args[0]
		}
		run, err := db.Find(ctx, name)
		if err != nil {
			return err
		}
		return do(ctx, db, run)
	})
}

// summaryOf computes the summary of a stored run from its games.
func summaryOf(ctx context.Context, db *store.Store, run arena.RunInfo) (*arena.Summary, error) {
	return countedOf(ctx, db, run, nil)
}

// countedOf is summaryOf, and calls each with the pairs in its figures.
func countedOf(
	ctx context.Context, db *store.Store, run arena.RunInfo, each func(pair []*arena.Game, half bool),
) (*arena.Summary, error) {
	g, err := gameOfRun(&run)
	if err != nil {
		return nil, err
	}
	var sum *arena.Summary
	err = db.Load(ctx, run.ID, func(run arena.RunInfo, games iter.Seq[*arena.Game]) (err error) {
		sum, err = tournament.Counted(run.PlanOf(g), run, games, each)
		return err
	})
	return sum, err
}
