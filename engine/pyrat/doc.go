// Package pyrat is PyRat: a rat and a python take cheese in a maze with walls
// and mud, moving at the same time.
//
// It binds the rules, package rules, and the built-in player, package player,
// to the contracts of package game: settings, both sides of the text protocol
// and the .pyrat replay format. It holds no rule of the game and never reads a
// clock on behalf of the arena: what is late is the arena's decision; what a
// late answer means is decided here.
package pyrat
