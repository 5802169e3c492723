package net

// pairs of neighbouring inputs of the second layer.
const pairs = Width

// weights has the weights of the second layer in the order in which the vector code reads
// them.
type weights struct {
	second [pairs][Neurons][2]int16
	bias   [Neurons]int32
	last   [Neurons]int32
	floor  [Neurons]int32 // the smallest output: 0, but no limit for neuron 0
}

// high has the sign bits of a word. A row has four 16-bit numbers a word, the first in the low
// bits. Sums wrap around.
const high = 0x8000_8000_8000_8000

func (r *row) add(other *row) {
	for i, b := range other {
		a := r[i]
		r[i] = (a&^high + b&^high) ^ (a^b)&high
	}
}

func (r *row) subtract(other *row) {
	for i, b := range other {
		a := r[i]
		r[i] = ((a | high) - b&^high) ^ (a^^b)&high
	}
}

// each multiplied by a number is that number in all four places of a word.
const each = 0x0001_0001_0001_0001

// activate adds the activations of a view to pool. No sum of pool overflows, see check.
func (r *row) activate(pool *row) {
	for i, x := range r {
		negative := x & high
		x &^= negative<<1 - negative>>15
		above := (x + (1<<15-1-Top)*each) & high // numbers over Top reach the highest bit
		above = above<<1 - above>>15
		pool[i] += x&^above | Top*each&above
	}
}

// packed has the weights of the second layer by input, for the portable code. A word is the
// weight of neuron j plus that of neuron j+Neurons/2 shifted by 32 bits. Sums of products are
// exact if each half fits in 32 bits; check ensures that.
type packed [2 * Width][Neurons / 2]int64

func (p *packed) read(w *weights) {
	for i := range p {
		for j := range p[i] {
			p[i][j] = int64(w.second[i/2][j][i%2]) + int64(w.second[i/2][j+Neurons/2][i%2])<<32
		}
	}
}

// secondGeneric returns the value of the activations, which points converts to a score.
func secondGeneric(pool *[2]row, w *weights, second *packed) int32 {
	var a, b, c, d, e, f, g, h int64 // in registers
	for side := range pool {
		for i, word := range pool[side] {
			for k := side*Width + 4*i; word != 0; k++ {
				x, w := int64(word&0xffff), &second[k&(2*Width-1)]
				a += x * w[0]
				b += x * w[1]
				c += x * w[2]
				d += x * w[3]
				e += x * w[4]
				f += x * w[5]
				g += x * w[6]
				h += x * w[7]
				word >>= 16
			}
		}
	}
	total := int32(0)
	for j, sum := range [Neurons / 2]int64{a, b, c, d, e, f, g, h} {
		low := int32(sum)
		total += neuron(w, j, low) + neuron(w, j+Neurons/2, int32((sum-int64(low))>>32))
	}
	return total
}

// neuron returns what neuron j adds to the value if this is the sum of its inputs.
func neuron(w *weights, j int, sum int32) int32 {
	return max((sum+w.bias[j])>>secondShift, w.floor[j]) * w.last[j]
}
