package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/store"
	"thera/arena/tournament"
	"thera/engine/game"
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

// runNamed returns the run that the first argument names, or the latest one.
func runNamed(ctx context.Context, db *store.Store, args []string) (arena.RunInfo, error) {
	word := ""
	if len(args) > 0 {
		word = args[0]
	}
	return db.Find(ctx, word)
}

// summaryOf computes the summary of a stored run from its games.
func summaryOf(ctx context.Context, db *store.Store, run arena.RunInfo) (*arena.Summary, error) {
	return countedOf(ctx, db, run, nil)
}

// countedOf is summaryOf, and calls each with the games in its figures.
func countedOf(
	ctx context.Context, db *store.Store, run arena.RunInfo, each func(g *arena.Game, half bool),
) (*arena.Summary, error) {
	g, err := gameOfRun(&run)
	if err != nil {
		return nil, err
	}
	var sum *arena.Summary
	err = db.Load(ctx, run.ID, func(l *store.Loaded) (err error) {
		sum, err = tournament.Counted(l.Plan(g), l.Run, l.Games, each)
		return err
	})
	return sum, err
}

// gameOfRun returns the run's game with the run's rules and openings.
func gameOfRun(run *arena.RunInfo) (game.Game, error) {
	g, err := findGame(run.Game)
	if err != nil {
		return nil, err
	}
	rules, openings := g.Settings()
	for _, s := range []struct {
		what, text string
		into       any
	}{{"rules", run.Plan.Rules, rules}, {"openings", run.Plan.Openings.Own, openings}} {
		if s.into == nil || s.text == "" {
			continue
		}
		if err := json.Unmarshal([]byte(s.text), s.into); err != nil {
			return nil, fmt.Errorf("%s of run %s: %w", s.what, run.Name, err)
		}
	}
	if rules == nil && openings == nil {
		return g, nil
	}
	bound, problems := g.With(rules, openings)
	if len(problems) > 0 {
		return nil, fmt.Errorf("settings of run %s: %w", run.Name, problems[0])
	}
	return bound, nil
}
