package tournament

import "math/bits"

// random is splitmix64 (Steele, Lea and Flood 2014): small, and the same on
// every machine and with every version of Go.
type random uint64

func generator(seed uint64) random { return random(seed) }

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is a number from 0 to n-1. The bias is below n/2^64.
func (r *random) below(n int) int {
	high, _ := bits.Mul64(r.next(), uint64(n))
	return int(high)
}
