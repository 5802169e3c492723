// Package hex is the game Hex on rhombic boards of 2 to 26 cells a side, with an
// optional swap. It has the settings, the positions with their moves, and client
// and server of both versions of the protocol. The board is in package rules, the
// built-in engine is in package player.
//
// The rules of the game are in rules.md; PROTOCOL.md lists what of the protocol is
// implemented and which tests prove it. The package knows no arena or processes.
// A coordinate that is not exactly one of the board is an error.
package hex

import (
	"fmt"
	"strconv"

	"thera/engine/game"
	"thera/engine/hex/rules"
)

// The sizes that can be played, and the usual one.
const (
	minSize     = 2
	maxSize     = 26
	defaultSize = 11
)

// Rules are the settings under `rules` of a match file.
type Rules struct {
	Size int  `yaml:"size" doc:"cells a side, 2 to 26"`
	Swap bool `yaml:"swap" doc:"the second player may answer the first stone with swap: the programs exchange colours"`
}

// Openings are the settings under `openings` that are the game's own.
type Openings struct {
	FirstMoves []string `yaml:"first_moves" doc:"first stones, each a start of its own: coordinates, or the words fair (a list of near-even ones) and all"`
}

// Hex is the game bound to its settings.
type Hex struct {
	rules Rules
	first []int // first stones; none: the empty board
}

// New returns the game on 11 x 11 without swap.
func New() *Hex { return &Hex{rules: Rules{Size: defaultSize}} }

// Name is "hex".
func (h *Hex) Name() string { return "hex" }

// Settings returns *Rules and *Openings with their defaults.
func (h *Hex) Settings() (rules, openings any) { return &Rules{Size: defaultSize}, &Openings{} }

// With binds rules and openings.
func (h *Hex) With(settings, openings any) (game.Game, []game.Problem) {
	bound := New()
	var problems []game.Problem
	problem := func(path, format string, args ...any) {
		problems = append(problems, game.Problem{Path: path, Err: fmt.Errorf(format, args...)})
	}
	if r, ok := settings.(*Rules); ok && r != nil {
		bound.rules = *r
		if r.Size < minSize || r.Size > maxSize {
			problem("rules.size", "%d: want %d to %d", r.Size, minSize, maxSize)
			return nil, problems
		}
	}
	if o, ok := openings.(*Openings); ok && o != nil {
		size := bound.rules.Size
		for i, text := range o.FirstMoves {
			switch text {
			case "fair":
				bound.first = append(bound.first, fairMoves(size)...)
			case "all":
				for cell := range size * size {
					bound.first = append(bound.first, cell)
				}
			default:
				cell, err := rules.ParseCell(text, size)
				if err != nil {
					problem("openings.first_moves["+strconv.Itoa(i)+"]", "%w", err)
				}
				bound.first = append(bound.first, cell)
			}
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return bound, nil
}

// Starts is the number of first stones, 1 for the empty board.
func (h *Hex) Starts() int { return max(1, len(h.first)) }

// Start is the board with the i-th first stone, or the empty board.
func (h *Hex) Start(i int, _ uint64) (game.Position, error) {
	if i < 0 || i >= h.Starts() {
		return nil, fmt.Errorf("hex has %d starts here, there is no start %d", h.Starts(), i)
	}
	p := h.empty()
	if len(h.first) > 0 {
		p = p.put(h.first[i])
	}
	return p, nil
}

// fairMoves are first stones that leave the game about even: stones near the
// edges at the acute corners, which help black little.
func fairMoves(size int) []int {
	if size < 5 {
		return []int{0}
	}
	cells := []int{
		size,                 // b1
		(size - 2) * size,    // the row before the last, column 1
		3*size + 1,           // d2
		1*size + size - 3,    // b, third column from the end
		(size-1)*size + 1,    // last row, column 2
		size*size - 1 - size, // the row before the last, last column
	}
	return cells
}

// Dialects lists the two versions of the protocol; later bots speak v2.
func (h *Hex) Dialects() []game.Dialect {
	return []game.Dialect{dialect{2, h.rules.Size}, dialect{1, h.rules.Size}}
}
