package policy

import (
	_ "embed"
	"fmt"

	"thera/engine/lanes"
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

// Record is where weights come from. A file of weights begins with it.
type Record struct {
	lanes.Head
	Games     int      `json:"games"`
	Positions int      `json:"positions"`
	HeldOut   int      `json:"held_out"` // positions of other games, not trained on
	Epochs    int      `json:"epochs"`
	Loss      float64  `json:"loss"`    // cross entropy on the held-out positions, less that of the target itself
	Best      float64  `json:"best"`    // share of them whose most visited move is guessed first
	Sources   []string `json:"sources"` // how the games of self-play were made
}

var head = lanes.Head{Format: "thera-hex-policy", Version: 1, Lanes: 1}

// Encode returns a file of weights.
func Encode(r Record, weights []int16) ([]byte, error) {
	r.Head = head
	if _, err := New(weights); err != nil {
		return nil, err
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

// weightsFile is made by scripts/hex; docs/net.md has the commands.
//
//go:embed weights.net
var weightsFile []byte

// Embedded is the net of this program.
var Embedded = lanes.Embedded(weightsFile, Decode)
