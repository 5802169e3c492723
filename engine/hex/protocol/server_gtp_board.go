package protocol

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"thera/engine/hex/rules"
	"thera/engine/protocol"
)

// gtpBoard is the board of a GTP server. Like other programs, it does not insist on turns.
type gtpBoard struct {
	size  int
	cells []rules.Colour
	past  [][]rules.Colour // the boards before, for undo
}

// readColour reads black, b, white or w.
func readColour(text string) (rules.Colour, error) {
	switch strings.ToLower(text) {
	case "b", "black":
		return rules.Black, nil
	case "w", "white":
		return rules.White, nil
	}
	return rules.None, fmt.Errorf("colour %q: want black or white", protocol.Clip(text))
}

// open returns an error if no move can be made.
func (b *gtpBoard) open() error {
	if winner(b.cells, b.size) != rules.None || !slices.Contains(b.cells, rules.None) {
		return errors.New("the game is over")
	}
	return nil
}

// next is a copy of the board to be changed; the old one stays for undo.
func (b *gtpBoard) next() []rules.Colour {
	b.past = append(b.past, b.cells)
	b.cells = slices.Clone(b.cells)
	return b.cells
}

func (b *gtpBoard) undo() error {
	last := len(b.past) - 1
	if last < 0 {
		return errors.New("cannot undo")
	}
	b.cells, b.past = b.past[last], b.past[:last]
	return nil
}

// play plays a stone or, where swaps is set, the swap.
func (b *gtpBoard) play(colour, move string, swaps bool) error {
	c, err := readColour(colour)
	if err != nil {
		return err
	}
	switch move = strings.ToLower(move); move {
	case swapPieces, swapSides:
		if !swaps || !b.canSwap(c) {
			return fmt.Errorf("illegal move: %v %s", c, move)
		}
		b.swap(move == swapPieces)
		return nil
	}
	cell, err := rules.ParseCell(move, b.size)
	if err != nil {
		return err
	}
	if cell = turn(cell, b.size); b.cells[cell] != rules.None {
		return fmt.Errorf("illegal move: %v %s (occupied)", c, move)
	}
	b.next()[cell] = c
	return nil
}

// canSwap is whether c is white, and black has made the only move.
func (b *gtpBoard) canSwap(c rules.Colour) bool {
	return c == rules.White && len(b.past) == 1 && slices.Contains(b.cells, rules.Black)
}

// swap turns the board over, or leaves it to the players to change.
func (b *gtpBoard) swap(pieces bool) {
	before := b.cells
	after := b.next()
	for cell, c := range before {
		if pieces && c != rules.None {
			after[cell], after[turn(cell, b.size)] = rules.None, c.Other()
		}
	}
}

// draw is the board, row 1 on top, each row half a cell to the right of the one above.
func (b *gtpBoard) draw() string {
	columns := "  "
	for column := range b.size {
		columns += fmt.Sprintf("  %c", 'a'+column)
	}
	text := "\n" + columns
	for row := range b.size {
		text += fmt.Sprintf("\n%*d\\", row+2, row+1)
		for _, c := range b.cells[row*b.size:][:b.size] {
			text += "  " + string(".BW"[c])
		}
		text += fmt.Sprintf("  \\%d", row+1)
	}
	return text + "\n" + strings.Repeat(" ", b.size) + columns
}
