// Package wire is the texts of Santorini's protocols: positions in both forms,
// chains of actions in both directions, and the JSON lines around them.
//
// It refuses to know connections, time and search. It checks that a position can
// occur, but leaves it to package rules which turns are legal.
package wire
