package net

import (
	_ "embed"
	"fmt"
	"slices"

	"thera/engine/gyges/rules"
	"thera/engine/lanes"
)

// Record is where weights come from. A file of weights begins with it.
type Record struct {
	lanes.Head
	lanes.Training
}

var head = lanes.Head{Format: "thera-gyges-net", Version: 1, Lanes: Lanes}

// Encode returns a file of weights. It refuses weights with which a lane could overflow.
func Encode(r Record, weights []int16) ([]byte, error) {
	r.Head = head
	if len(weights) != Rows*Lanes {
		return nil, fmt.Errorf("%d weights, want %d", len(weights), Rows*Lanes)
	}
	if lane, worst := overflow(weights); worst > 1<<15-1 {
		return nil, fmt.Errorf("lane %d could reach %d", lane, worst)
	}
	return lanes.Pack(r, weights)
}

// Decode reads a file.
func Decode(file []byte) (*Net, Record, error) {
	var r Record
	weights, err := lanes.Unpack(file, &r, head)
	if err != nil {
		return nil, r, err
	}
	n, err := New(weights)
	return n, r, err
}

// overflow returns the lane that could become largest in magnitude, and how large: with
// the four largest weights for the pieces of each value, and with the largest for as many
// ends as there are empty squares, the goal and pieces.
func overflow(weights []int16) (lane, worst int) {
	const pieces, empty = 12, rules.Squares - 12
	for l := range Lanes {
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
				w := int(weights[(kind.at+row)*Lanes+l])
				sizes = append(sizes, max(w, -w))
			}
			slices.Sort(sizes)
			for _, size := range sizes[kind.rows-kind.most:] {
				total += size
			}
		}
		if total > worst {
			lane, worst = l, total
		}
	}
	return lane, worst
}

// weightsFile is made by scripts/gyges; docs/net.md has the commands.
//
//go:embed weights.net
var weightsFile []byte

// Embedded is the network of this program.
var Embedded = lanes.Embedded(weightsFile, Decode)
