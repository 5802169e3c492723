// Package rules implements the rules of PyRat: mazes and how they are
// generated, positions and turns, and the text and drawing of a position.
//
// It knows no engine, no conversation and no clock. It reads and writes the
// lines by which the protocol describes a position, because a position's text
// consists of them; what else a protocol says is not its business.
package rules
