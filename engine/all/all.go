// Package all lists the games that this build knows. It is the only place
// that names them all, and holds nothing else.
package all

import (
	"thera/engine/game"
	"thera/engine/gyges"
	"thera/engine/hex"
	"thera/engine/mill"
	"thera/engine/pyrat"
	"thera/engine/santorini"
)

// Games lists every game with default settings, in the order of the README.
func Games() []game.Game {
	return []game.Game{
		santorini.New(),
		mill.New(),
		gyges.New(),
		pyrat.New(),
		hex.New(),
	}
}
