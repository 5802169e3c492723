package net

import (
	_ "embed"
	"slices"

	"thera/engine/gyges/rules"
	"thera/engine/train"
)

// Format is that of files of weights. It refuses weights with which a sum could overflow.
var Format = train.Format[Net]{
	Head: train.Head{Format: "thera-gyges-net", Version: 1, Width: Width},
	New:  New,
	Most: overflow,
}

// overflow returns the element of a view that could become largest in magnitude, and how large: with
// the four largest weights for the pieces of each value, and with the largest for as many
// ends as there are empty squares, the goal and pieces.
func overflow(weights []int16) (element, worst int) {
	const pieces, empty = 12, rules.Squares - 12
	for e := range Width {
		total := 0
		for _, kind := range []struct{ at, rows, most int }{
			{atPiece, rules.Squares, 4},
			{atPiece + rules.Squares, rules.Squares, 4},
			{atPiece + 2*rules.Squares, rules.Squares, 4},
			{atMine, rules.Squares, empty + 1},
			{atMinePiece, rules.Squares, pieces},
			{atTheirs, ends, empty + 2},
			{atTheirsPiece, rules.Squares, pieces},
			{atLines, Rows - atLines, 1},
		} {
			var sizes []int
			for row := range kind.rows {
				w := int(weights[(kind.at+row)*Width+e])
				sizes = append(sizes, max(w, -w))
			}
			slices.Sort(sizes)
			for _, size := range sizes[kind.rows-kind.most:] {
				total += size
			}
		}
		if total > worst {
			element, worst = e, total
		}
	}
	return element, worst
}

// scripts/nets makes weightsFile.
//
//go:embed weights.net
var weightsFile []byte

// Embedded is the network of this program.
var Embedded = train.Embedded(weightsFile, Format.Decode)
