// Package train has what the nets of all players share: files of weights, files of games,
// self-play, and a trainer for the nets that are fitted in Go. The features of a position are
// in the game's net. scripts/train chooses data and settings.
package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"sync"
)

// Head identifies a file of weights. The record of the file begins with it.
type Head struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Width   int    `json:"lanes"` // of a row
}

// Check returns an error for another net, version or size.
func (h Head) Check(want Head) error {
	if h != want {
		return fmt.Errorf("%q %d with rows of %d: want %q %d with %d", h.Format, h.Version, h.Width, want.Format, want.Version, want.Width)
	}
	return nil
}

// Training says how weights were made. It is part of the record of a file.
type Training struct {
	Games     int      `json:"games"`
	Positions int      `json:"positions"`
	HeldOut   int      `json:"held_out"`         // positions of other games, not trained on
	Lambda    float64  `json:"lambda,omitempty"` // weight of the search's score in the target; the rest is the result
	Epochs    int      `json:"epochs"`
	Loss      float64  `json:"loss"`                // cross entropy on held-out positions, minus the entropy of the targets
	HandLoss  float64  `json:"hand_loss,omitempty"` // the same of the evaluation by hand
	Best      float64  `json:"best,omitempty"`      // of a policy: share of positions whose most visited move it guesses
	Sources   []string `json:"sources"`             // how the games of self-play were made
	Inputs    []string `json:"inputs,omitempty"`    // SHA-256 of the files of games, in hexadecimal
	Command   string   `json:"command,omitempty"`   // that fitted the weights
	Commit    string   `json:"commit,omitempty"`    // of the program that did
}

// Record is the beginning of a file of weights.
type Record struct {
	Head
	Training
}

// Pack returns a file of weights: the record as a line of JSON, the weights as
// little-endian 16-bit numbers, and the SHA-256 of all that.
func Pack(record any, weights []int16) ([]byte, error) {
	out, err := json.Marshal(record)
	if err != nil {
		return nil, err
	}
	out = append(out, '\n')
	for _, w := range weights {
		out = binary.LittleEndian.AppendUint16(out, uint16(w))
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...), nil
}

// Unpack reads what Pack returned. It refuses a file whose record has another head.
func Unpack(file []byte, record interface{ Check(want Head) error }, head Head) (weights []int16, err error) {
	if len(file) < sha256.Size {
		return nil, fmt.Errorf("%d bytes are too few for a file of weights", len(file))
	}
	body, sum := file[:len(file)-sha256.Size], file[len(file)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return nil, fmt.Errorf("the checksum is %x, want %x", sum, want)
	}
	line, body, _ := bytes.Cut(body, []byte("\n"))
	if err := json.Unmarshal(line, record); err != nil {
		return nil, fmt.Errorf("bad record of a net: %.60q", line)
	}
	if err := record.Check(head); err != nil {
		return nil, err
	}
	if len(body)%2 != 0 {
		return nil, fmt.Errorf("%d bytes of weights: want an even number", len(body))
	}
	weights = make([]int16, len(body)/2)
	for i := range weights {
		weights[i] = int16(binary.LittleEndian.Uint16(body[2*i:]))
	}
	return weights, nil
}

// Format is the kind of file that holds the weights of nets N.
type Format[N any] struct {
	Head Head
	New  func(weights []int16) (*N, error)
	// Most returns the element of the sum that could become largest in magnitude, and how
	// large. It is nil if no sum could overflow.
	Most func(weights []int16) (element, worst int)
}

// Encode returns a file of weights. It refuses weights that do not make a net, and weights
// with which a sum could overflow 16 bits.
func (f *Format[N]) Encode(t Training, weights []int16) ([]byte, error) {
	if _, err := f.New(weights); err != nil {
		return nil, err
	}
	if f.Most != nil {
		if element, worst := f.Most(weights); worst > 1<<15-1 {
			return nil, fmt.Errorf("element %d could reach %d", element, worst)
		}
	}
	return Pack(Record{f.Head, t}, weights)
}

// Decode reads a file.
func (f *Format[N]) Decode(file []byte) (*N, Record, error) {
	var r Record
	weights, err := Unpack(file, &r, f.Head)
	if err != nil {
		return nil, r, err
	}
	n, err := f.New(weights)
	return n, r, err
}

// Embedded returns the net in a file that is part of the program. It is decoded when it
// is first used.
func Embedded[N, R any](file []byte, decode func(file []byte) (*N, R, error)) func() *N {
	return sync.OnceValue(func() *N {
		n, _, err := decode(file)
		if err != nil { // a test reads the file: the program was built from a damaged one
			panic(fmt.Sprintf("train: embedded weights: %v", err))
		}
		return n
	})
}
