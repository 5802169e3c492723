// Package conv is a small convolutional network that judges positions of Hex: how likely each move is to be the
// best, and how likely the side to move is to win. Search and training are elsewhere; package net has a guesser
// that is a hundred times as fast and knows less.
//
// # The network
//
// The board is turned so that the side to move joins the rows. The inputs of a cell are four planes: own stones,
// the other side's, the last move and the one before. The edges are a border of stones. Each layer computes
// Channels numbers for a cell from those of the cell and of its six neighbours; after the first layer the border
// is 0. An input layer is followed by Blocks residual blocks of two layers. The logit of a move is a sum over the
// channels of its cell. The value is computed from the mean and the maximum of each channel over the board, by a
// layer of hidden neurons.
//
// # Arithmetic
//
// Activations are 16-bit numbers from 0 to top, in which 1.0 is Unit. Weights are 16-bit numbers, in which 1.0 is
// WeightUnit. Sums have 32 bits; New refuses weights with which one could overflow. Processors with AVX2 use
// assembly, all others portable code. Both return the same values.
package conv

import (
	_ "embed"
	"fmt"

	"thera/engine/train"
)

const (
	// Channels, Blocks and the others are the shape of the network.
	Channels = 32
	Blocks   = 6
	planes   = 4
	hidden   = 32
	around   = 7 // a cell and its neighbours

	// Unit is 1.0 in activations and in what Judge returns.
	Unit       = 256
	shift      = 12
	WeightUnit = 1 << shift // 1.0 in weights
	top        = 31 * Unit
)

// layer is a convolution.
type layer struct {
	inputs  int
	weights []int16         // by cell of around, pair of inputs, output, and input of the pair
	bias    [Channels]int32 // in Unit*WeightUnit, and half a unit of the result
}

// Net is the weights. It does not change after New and may be shared.
type Net struct {
	layers [1 + 2*Blocks]layer
	policy [Channels]int32
	first  [hidden][2 * Channels]int32 // of the means, then of the maxima
	biases [hidden]int32
	second [hidden]int32
	bias   int32
}

// Weights is how many weights a net has.
const Weights = (around*planes+1)*Channels + 2*Blocks*(around*Channels+1)*Channels + Channels + hidden*(2*Channels+2) + 1

// New returns the net with these weights: of each layer, by cell of around, input and output, then its biases;
// then of the policy, and of both layers of the value, each followed by its biases.
func New(weights []int16) (*Net, error) {
	if len(weights) != Weights {
		return nil, fmt.Errorf("%d weights, want %d", len(weights), Weights)
	}
	n := new(Net)
	take := func(count int) (list []int16) {
		list, weights = weights[:count], weights[count:]
		return list
	}
	for i := range n.layers {
		inputs := Channels
		if i == 0 {
			inputs = planes
		}
		if err := n.layers[i].read(inputs, take(around*inputs*Channels), take(Channels)); err != nil {
			return nil, fmt.Errorf("layer %d: %w", i, err)
		}
	}
	widen(n.policy[:], take(Channels), 1)
	for k := range n.first {
		widen(n.first[k][:], take(2*Channels), 1)
	}
	widen(n.biases[:], take(hidden), Unit)
	widen(n.second[:], take(hidden), 1)
	n.bias = int32(take(1)[0]) * Unit
	return n, n.check()
}

// check returns an error if a sum of the heads could overflow.
func (n *Net) check() error {
	value := magnitude(n.bias)
	for k, weights := range n.first {
		worst := magnitude(weights[:]...)*top + magnitude(n.biases[k])
		if worst >= 1<<31 {
			return fmt.Errorf("neuron %d could reach %d", k, worst)
		}
		value += (worst>>shift + 1) * magnitude(n.second[k])
	}
	if policy := magnitude(n.policy[:]...) * top; max(policy, value) >= 1<<31 {
		return fmt.Errorf("a logit could reach %d, the value %d", policy, value)
	}
	return nil
}

// magnitude is the sum of the absolute values.
func magnitude(list ...int32) (sum int64) {
	for _, x := range list {
		sum += max(int64(x), -int64(x))
	}
	return sum
}

func widen(to []int32, from []int16, by int32) {
	for i, w := range from {
		to[i] = int32(w) * by
	}
}

// read sets the weights and biases of a layer.
func (l *layer) read(inputs int, weights, biases []int16) error {
	l.inputs, l.weights = inputs, make([]int16, len(weights))
	for out, b := range biases {
		l.bias[out] = int32(b)*Unit + WeightUnit/2
		worst := magnitude(l.bias[out])
		for i := range around * inputs {
			w := weights[i*Channels+out]
			l.weights[(i/2*Channels+out)*2+i%2] = w
			worst += top * magnitude(int32(w))
		}
		if worst >= 1<<31 {
			return fmt.Errorf("channel %d could reach %d", out, worst)
		}
	}
	return nil
}

// Format is that of files of weights.
var Format = train.Format[Net]{Head: train.Head{Format: "thera-hex-conv", Version: 1, Width: Channels}, New: New}

// weightsFile is made by scripts/nets hex.
//
//go:embed weights.net
var weightsFile []byte

// Embedded is the net of this program.
var Embedded = train.Embedded(weightsFile, Format.Decode)
