// Package hex binds the game Hex, on rhombic boards of 2 to 26 cells a side, with an
// optional swap.
//
// The board and its positions are in package rules, client and server of its protocols
// in package protocol, the built-in engine in package player.
package hex

import (
	"fmt"
	"strconv"

	"thera/engine/game"
	"thera/engine/hex/protocol"
	"thera/engine/hex/rules"
)

// Rules are the settings under `rules` of a match file.
type Rules = rules.Settings

// Openings are the game's settings under `openings`.
type Openings struct {
	FirstMoves []string `yaml:"first_moves" doc:"first stones, each a start of its own: coordinates, or the words fair (a list of near-even ones) and all"`
}

// Hex is the game bound to its settings.
type Hex struct {
	rules rules.Settings
	first []int // first stones; none: the empty board
}

// New returns the game on 11 x 11 without swap.
func New() *Hex { return &Hex{rules: rules.Default()} }

// Name is "hex".
func (h *Hex) Name() string { return "hex" }

// Settings returns *rules.Settings and *Openings with their defaults.
func (h *Hex) Settings() (settings, openings any) {
	r := rules.Default()
	return &r, &Openings{}
}

// With binds rules and openings.
func (h *Hex) With(settings, openings any) (game.Game, []game.Problem) {
	bound := New()
	var problems []game.Problem
	problem := func(path, format string, args ...any) {
		problems = append(problems, game.Problem{Path: path, Err: fmt.Errorf(format, args...)})
	}
	if r, ok := settings.(*rules.Settings); ok && r != nil {
		bound.rules = *r
		if r.Size < rules.MinSize || r.Size > rules.MaxSize {
			problem("rules.size", "%d: want %d to %d", r.Size, rules.MinSize, rules.MaxSize)
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
	p := h.rules.Empty()
	if len(h.first) > 0 {
		p = p.Put(h.first[i])
	}
	return p, nil
}

// Parse reads a size and moves, and plays them.
func (h *Hex) Parse(text string) (game.Position, error) {
	p, err := h.rules.Parse(text)
	if err != nil {
		return nil, err
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

// Late is "": a late move loses.
func (h *Hex) Late() (move string, most int) { return "", 0 }

// Dialects lists auto, which is v2 or GTP, the two versions of the bots' protocol, and GTP.
func (h *Hex) Dialects() []game.Dialect {
	v1, v2 := protocol.Dialect{Version: 1, Size: h.rules.Size}, protocol.Dialect{Version: 2, Size: h.rules.Size}
	auto := v2
	auto.Auto = true
	return []game.Dialect{auto, v2, v1, protocol.GTP{}}
}

// Player is the built-in engine.
func Player() game.Player { return protocol.Player{} }
