package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/store"
	"thera/arena/tournament"
	"thera/engine/all"
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

// countedOf computes the summary of a stored run from its games, and calls each, which may be
// nil, with the pairs in its figures.
func countedOf(
	ctx context.Context, db *store.Store, run arena.RunInfo, each func(pair []*arena.Game, half bool),
) (*arena.Summary, error) {
	g, err := gameOfRun(&run)
	if err != nil {
		return nil, err
	}
	var sum *arena.Summary
	err = db.Load(ctx, run.ID, func(run arena.RunInfo, games iter.Seq[*arena.Game]) (err error) {
		sum, err = tournament.Summarize(run.PlanOf(g), run, games, each)
		return err
	})
	return sum, err
}

// findGame returns the game with that name and default settings.
func findGame(name string) (game.Game, error) {
	for _, g := range all.Games() {
		if g.Name() == name {
			return g, nil
		}
	}
	return nil, game.Unknown("game", name, gameNames())
}

func ruleFlag(cmd *cobra.Command, rules *[]string) {
	cmd.Flags().StringArrayVar(rules, "rule", nil, "a rule of the game, `name=value`, as in a match file (repeatable)")
}

// gameCommand is a command whose first argument is a game, which may have other rules.
func gameCommand(
	use, short string, args cobra.PositionalArgs, run func(cmd *cobra.Command, g game.Game, args []string) error,
) *cobra.Command {
	var rules []string
	cmd := &cobra.Command{Use: use, Short: short, Args: args, RunE: func(cmd *cobra.Command, args []string) error {
		g, err := findGame(args[0])
		if err != nil {
			return err
		}
		if len(rules) > 0 {
			if g, err = config.Bind(g, rules); err == nil {
				err = known(g)
			}
			if err != nil {
				return fmt.Errorf("--rule %w", err)
			}
		}
		return run(cmd, g, args)
	}}
	ruleFlag(cmd, &rules)
	return cmd
}

// known returns an error if only engines know the rules of a game.
func known(g game.Game) error {
	if game.ForeignStart(g) != nil {
		return errors.New("an unknown god, or law=…: only thera run and vs ask engines for the rules")
	}
	return nil
}

// gameOfRun returns the run's game with the run's rules and openings.
func gameOfRun(run *arena.RunInfo) (game.Game, error) {
	g, err := findGame(run.Game)
	if err != nil {
		return nil, err
	}
	rules, openings := g.Settings()
	read := func(text string, into any) error {
		if into == nil || text == "" {
			return nil
		}
		return json.Unmarshal([]byte(text), into)
	}
	if err := errors.Join(read(run.Plan.Rules, rules), read(run.Plan.Openings.Own, openings)); err != nil {
		return nil, fmt.Errorf("settings of run %s: %w", run.Name, err)
	}
	bound, problems := g.With(rules, openings)
	if len(problems) > 0 {
		return nil, fmt.Errorf("settings of run %s: %w", run.Name, problems[0])
	}
	return bound, nil
}
