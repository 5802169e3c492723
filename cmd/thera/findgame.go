package main

import (
	"fmt"
	"strings"

	"thera/engine/all"
	"thera/engine/game"
)

// findGame returns the game with that name and default settings.
func findGame(name string) (game.Game, error) {
	var names []string
	for _, g := range all.Games() {
		if g.Name() == name {
			return g, nil
		}
		names = append(names, g.Name())
	}
	return nil, fmt.Errorf("unknown game %q (known: %s)", name, strings.Join(names, ", "))
}
