package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/config"
	"thera/engine/all"
	"thera/engine/game"
)

// findGame returns the game with that name and default settings.
func findGame(name string) (game.Game, error) {
	for _, g := range all.Games() {
		if g.Name() == name {
			return g, nil
		}
	}
	return nil, arena.Unknown("game", name, gameNames())
}

func ruleFlag(cmd *cobra.Command, rules *[]string) {
	cmd.Flags().StringArrayVar(rules, "rule", nil, "a rule of the game, `name=value`, as in a match file (repeatable)")
}

// findGameWith returns the game with that name and some rules set.
func findGameWith(name string, rules []string) (game.Game, error) {
	g, err := findGame(name)
	if err != nil || len(rules) == 0 {
		return g, err
	}
	bound, err := config.Bind(g, rules)
	if err == nil {
		err = known(bound)
	}
	if err != nil {
		return nil, fmt.Errorf("--rule %w", err)
	}
	return bound, nil
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
