package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena/config"
	"thera/engine/game"
)

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
	if err != nil {
		return nil, fmt.Errorf("--rule %w", err)
	}
	pos, err := bound.Start(0, 0)
	if _, foreign := pos.(game.Foreign); err == nil && foreign {
		return nil, fmt.Errorf("--rule %s: only thera run and vs ask engines for the rules",
			strings.Join(rules, " --rule "))
	}
	return bound, nil
}
