package net

import (
	_ "embed"
	"fmt"

	"thera/engine/train"
)

// Net is the weights of a guesser. It does not change after New and may be shared.
type Net struct{ weights [Rows]int16 }

// New returns the net with these weights, one for each row.
func New(weights []int16) (*Net, error) {
	if len(weights) != Rows {
		return nil, fmt.Errorf("%d weights, want %d", len(weights), Rows)
	}
	n := new(Net)
	copy(n.weights[:], weights)
	return n, nil
}

// Format is that of files of weights.
var Format = train.Format[Net]{Head: train.Head{Format: "thera-hex-policy", Version: 1, Width: 1}, New: New}

// weightsFile is made by scripts/train; docs/net.md has the commands.
//
//go:embed weights.net
var weightsFile []byte

// Embedded is the net of this program.
var Embedded = train.Embedded(weightsFile, Format.Decode)
