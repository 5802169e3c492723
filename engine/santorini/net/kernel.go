package net

// pairs of neighbouring inputs of the second layer.
const pairs = Lanes

// weights is the second layer, as the vector code reads it.
type weights struct {
	second [pairs][Neurons][2]int16
	bias   [Neurons]int32
	last   [Neurons]int32
	floor  [Neurons]int32 // least output before last: 0, but no limit for neuron 0
}

// The lanes of a row are 16-bit numbers, four to a word from its low end. Sums wrap around.
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

func (r *row) lane(i int) int16 { return int16(r[i/4] >> (i % 4 * 16)) }

func (r *row) set(i int, n int16) {
	shift := i % 4 * 16
	r[i/4] = r[i/4]&^(0xffff<<shift) | uint64(uint16(n))<<shift
}

// activate adds the activations of a view to pool.
func (r *row) activate(pool *row) {
	for i := range Lanes {
		pool.set(i, pool.lane(i)+max(0, min(r.lane(i), Top)))
	}
}

// secondGeneric is the value of the activations in units of 2^-shift2.
func secondGeneric(pool *[2]row, w *weights) int32 {
	sums := w.bias
	for k := range pairs {
		for i := range 2 {
			x := int32(pool[(2*k+i)/Lanes].lane((2*k + i) % Lanes))
			if x == 0 {
				continue
			}
			for j := range sums {
				sums[j] += x * int32(w.second[k][j][i])
			}
		}
	}
	total := int32(0)
	for j, sum := range sums {
		total += max(sum>>secondShift, w.floor[j]) * w.last[j]
	}
	return total
}
