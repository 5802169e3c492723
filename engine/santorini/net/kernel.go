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

// negative is the row that undoes r.
func (r *row) negative() *row {
	n := &row{}
	for i := range Lanes {
		n.set(i, -r.lane(i))
	}
	return n
}

func (r *row) lane(i int) int16 { return int16(r[i/4] >> (i % 4 * 16)) }

func (r *row) set(i int, n int16) {
	shift := i % 4 * 16
	r[i/4] = r[i/4]&^(0xffff<<shift) | uint64(uint16(n))<<shift
}

// viewGeneric adds rows of steps to sum, and to pool the activations of that sum with
// further rows. The lists are in bytes from the first row, and their lengths multiples of unroll.
func viewGeneric(sum *row, steps []row, changes []uint32, rows []row, others []uint32, pool *row) {
	for _, at := range changes {
		sum.add(&steps[at/rowBytes])
	}
	all := *sum
	for _, at := range others {
		all.add(&rows[at/rowBytes])
	}
	for i := range Lanes {
		pool.set(i, pool.lane(i)+max(0, min(all.lane(i), Top)))
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
