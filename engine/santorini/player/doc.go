// Package player is the built-in player of Santorini: the evaluation, the ordering of
// turns, and the glue between the rules and package search.
//
// It refuses to know texts of positions and protocols: it searches a rules.State and
// reports states.
package player
