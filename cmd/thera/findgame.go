package main

import (
	"thera/arena"
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
	return nil, arena.Unknown("game", name, names)
}
