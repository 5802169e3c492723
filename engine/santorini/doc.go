// Package santorini is Santorini as the arena sees it: the game and its openings, the
// arena's side of the protocol (client and dialects), the built-in engine (server),
// drawings and the catalog of gods.
//
// Its rooms below: package rules has the positions, the turns and all gods; package
// wire the texts of positions, actions and JSON lines; package player the search.
// player and wire import rules, and nothing imports back.
//
// It refuses to know engines other than its own: no process, no clock of a match,
// no result. What a god does is in rules/god_NAME.go; GODS.md says how to add one.
//
// A move of a game.Position is the text of the next state. Moves writes it in the
// form of the position; Play reads either form.
package santorini
