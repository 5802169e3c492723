package main

import (
	"crypto/sha256"
	"fmt"
)

// player is what decides how the built-in player of a game plays. Two programs with
// equal ones have the same engine, whatever else differs between them.
type player struct {
	signature int64  // the nodes of thera bench
	weights   string // SHA-256 of the files that the game embeds; "" if there are none
	revision  int    // raised when it plays otherwise and neither shows it: by its use of time, its threads, an option
}

// players are those of this program, by game. TestPlayers computes what they are.
var players = map[string]player{
	"santorini": {signature: 135_036, weights: "cb9fd951d2f07dd5cc1bc9d47808664a7fcb7dda1618a2f24d27460c2d56017f", revision: 1},
	"mill":      {signature: 243_438, weights: "5a55642b8d79cef51186598efb4bde901b811a65b3c7e906e1cbfd64b7ff9a8b", revision: 1},
	"gyges":     {signature: 100_752, weights: "011fa6c4f6b5bb5beb5b44a138a21ad97d9685277c80527d895df39bed2fdc3a", revision: 1},
	"pyrat":     {signature: 74_358, revision: 1},
	"hex":       {signature: 72_519, weights: "8adcd0829ad6e733aa60dc76d8c711e9cb771b9ce7359bfeab96806bf737a510", revision: 1},
}

// version is the identity of the player of a game.
func (p player) version(game string) string {
	text := fmt.Sprintf("%s: signature %d, weights %s, revision %d", game, p.signature, p.weights, p.revision)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
}

// playerVersion is the identity of the built-in player of a game, "" if it has none.
func playerVersion(game string) string {
	if p, ok := players[game]; ok {
		return p.version(game)
	}
	return ""
}
