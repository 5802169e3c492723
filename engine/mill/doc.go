// Package mill makes Nine Men's Morris a game of the arena: its settings, the
// client of the UCI-like protocol that its engines speak, and the server of the
// built-in engine, which speaks the same protocol.
//
// The rules are in package rules, the search in package player, the endgame
// tables in package tables. Each imports only those that come before it in the
// order rules, tables, player, mill. Package mill starts no process and does not
// time other engines.
package mill
