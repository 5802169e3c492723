// Package mill is Nine Men's Morris: its rules, its seventeen-field position
// text, the client of the UCI-like protocol that its engines speak, and an
// engine of our own that serves the same protocol.
//
// It referees the default rules of real engines (nine men, no diagonals, one
// removal a mill); the variants those engines also know are refused, except
// the settings of Rules. It starts no process and never times another engine.
package mill
