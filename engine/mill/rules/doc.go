// Package rules is Nine Men's Morris: board, moves, positions with their
// history, and the position text of seventeen fields.
//
// It plays the default rules of existing engines (nine men, no diagonals, one
// removal per mill) with or without flying, and refuses every other variant.
// It judges no position and searches nothing: that is what package player does.
package rules

// Rules are the rules that a match may choose.
type Rules struct {
	Flying     bool // three men, none in hand, may move to any empty point
	QuietPlies int  // slides without a placing or removal after which the game is a draw
}

// Default returns the rules of other engines' default options.
func Default() Rules { return Rules{Flying: true, QuietPlies: 100} }
