package net

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"thera/engine/gyges/rules"
	"thera/engine/lanes"
)

// Record is where weights come from. A file of weights begins with it.
type Record struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Lanes   int    `json:"lanes"`

	Games     int      `json:"games"`
	Positions int      `json:"positions"`
	HeldOut   int      `json:"held_out"` // positions of other games, not trained on
	Lambda    float64  `json:"lambda"`   // the share of the score in the target, the rest is the result
	Epochs    int      `json:"epochs"`
	Loss      float64  `json:"loss"`      // cross entropy on the held-out positions, less that of the target itself
	HandLoss  float64  `json:"hand_loss"` // the same of the evaluation by hand
	Sources   []string `json:"sources"`   // the commands of the self-play
}

const (
	formatName    = "thera-gyges-net"
	formatVersion = 1
)

// Encode returns a file of weights. It refuses weights with which a lane could overflow.
func Encode(r Record, weights []int16) ([]byte, error) {
	r.Format, r.Version, r.Lanes = formatName, formatVersion, Lanes
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
	weights, err := lanes.Unpack(file, &r)
	if err != nil {
		return nil, r, err
	}
	if r.Format != formatName || r.Version != formatVersion || r.Lanes != Lanes {
		return nil, r, fmt.Errorf("%s %d with %d lanes: want %s %d with %d", r.Format, r.Version, r.Lanes, formatName, formatVersion, Lanes)
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

// Embedded is the network of this program. It is decoded when it is first used.
var Embedded = sync.OnceValue(func() *Net {
	n, _, err := Decode(weightsFile)
	if err != nil { // a test reads the file: the program was built from a damaged one
		panic(fmt.Sprintf("net: embedded weights: %v", err))
	}
	return n
})
