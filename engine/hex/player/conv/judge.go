package conv

import (
	"slices"

	"thera/engine/hex/rules"
)

// Least is the smallest size of a board that is judged.
const Least = places

// Judge judges positions of one size. Only one goroutine may use it at a time.
type Judge struct {
	Logits []int // of moves, by cell, in Units, by the last Look. Those of full cells mean nothing.

	net     *Net
	size    int
	width   int         // with the border
	inputs  []int16     // by place and plane
	streams [3][]int16  // by place and channel
	near    [around]int // places around, as offsets
}

// NewJudge returns a judge by a net, of positions of a size of at least Least.
func NewJudge(size int, net *Net) *Judge {
	w := size + 2
	j := &Judge{
		Logits: make([]int, size*size), net: net, size: size, width: w, inputs: make([]int16, w*w*planes),
		near: [around]int{-w, -w + 1, -1, 0, 1, w - 1, w},
	}
	for i := range j.streams {
		j.streams[i] = make([]int16, w*w*Channels)
	}
	for i := 1; i <= size; i++ {
		j.inputs[i*planes], j.inputs[((size+1)*w+i)*planes] = Unit, Unit
		j.inputs[i*w*planes+1], j.inputs[(i*w+size+1)*planes+1] = Unit, Unit
	}
	return j
}

// Look judges the position of a board, by cell, with turn to move after the last two moves, the other side's
// first, -1 for one that is not known. It sets Logits and returns the logit of turn's win, in Units.
func (j *Judge) Look(board []rules.Colour, turn rules.Colour, last [2]int) (value int) {
	for cell, c := range board {
		p := j.inputs[j.place(cell, turn)*planes:][:planes]
		clear(p)
		if c == turn {
			p[0] = Unit
		} else if c != rules.None {
			p[1] = Unit
		}
		if i := slices.Index(last[:], cell); i >= 0 {
			p[2+i] = Unit
		}
	}
	x, y, z := j.streams[0], j.streams[1], j.streams[2]
	j.layer(&j.net.layers[0], x, j.inputs, nil)
	for i := 1; i < len(j.net.layers); i += 2 {
		j.layer(&j.net.layers[i], y, x, nil)
		j.layer(&j.net.layers[i+1], z, y, x)
		x, z = z, x
	}
	var pool [2 * Channels]int32
	for cell := range board {
		sum := int32(0)
		for i, v := range x[j.place(cell, turn)*Channels:][:Channels] {
			sum += int32(v) * j.net.policy[i]
			pool[i] += int32(v)
			pool[Channels+i] = max(pool[Channels+i], int32(v))
		}
		j.Logits[cell] = int(sum >> shift)
	}
	for i := range Channels {
		pool[i] /= int32(len(board))
	}
	sum := j.net.bias
	for k := range j.net.first {
		neuron := j.net.biases[k]
		for i, w := range &j.net.first[k] {
			neuron += w * pool[i]
		}
		sum += max(0, neuron>>shift) * j.net.second[k]
	}
	return int(sum >> shift)
}

// place is that of a cell, on a board that is turned for the side to move.
func (j *Judge) place(cell int, turn rules.Colour) int {
	row, column := cell/j.size, cell%j.size
	if turn == rules.White {
		row, column = column, row
	}
	return (row+1)*j.width + column + 1
}

// layer computes a layer. The last places of a row may be computed twice.
func (j *Judge) layer(l *layer, out, in, add []int16) {
	for row := 1; row <= j.size; row++ {
		for column := 1; column <= j.size; column += places {
			at := row*j.width + min(column, j.size-places+1)
			skip := none[:]
			if add != nil {
				skip = add[at*Channels:]
			}
			l.convolve(out[at*Channels:], in, skip, at, &j.near)
		}
	}
}
