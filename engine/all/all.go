// Package all lists the games that this build knows, and their players. It is the only
// place that names them all, and holds nothing else.
package all

import (
	"thera/engine/game"
	"thera/engine/gyges"
	"thera/engine/hex"
	"thera/engine/mill"
	"thera/engine/pyrat"
	"thera/engine/santorini"
)

// list has a line for each game, in the order of the README.
var list = []struct {
	game   game.Game
	player game.Player
}{
	{santorini.New(), santorini.Player()},
	{mill.New(), mill.Player()},
	{gyges.New(), gyges.Player()},
	{pyrat.New(), pyrat.Player()},
	{hex.New(), hex.Player()},
}

// Games lists every game with default settings.
func Games() []game.Game {
	var games []game.Game
	for _, g := range list {
		games = append(games, g.game)
	}
	return games
}

// Player is the built-in engine of a game, nil if there is no such game.
func Player(name string) game.Player {
	for _, g := range list {
		if g.game.Name() == name {
			return g.player
		}
	}
	return nil
}
