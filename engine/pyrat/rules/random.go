package rules

// random is the generator splitmix64 (Steele et al. 2014). It uses
// whole numbers only, so that a seed gives the same maze on every machine and
// with every version of Go.
type random struct{ state uint64 }

// golden is the step of a generator.
const golden = 0x9e3779b97f4a7c15

func (r *random) next() uint64 {
	z := Mix(r.state)
	r.state += golden
	return z
}

// Mix scatters the bits of x: the number of a generator in state x.
func Mix(x uint64) uint64 {
	x += golden
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below returns a number from 0 to n-1, each equally likely.
func (r *random) below(n int) int {
	// Reject the numbers of the incomplete last round.
	for {
		x := r.next() >> 1
		if rest := x % uint64(n); x-rest+uint64(n-1) < 1<<63 {
			return int(rest)
		}
	}
}

// chance is true with a probability given in millionths.
func (r *random) chance(millionths int) bool { return r.below(1e6) < millionths }

// shuffle puts a list into random order.
func shuffle[T any](r *random, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := r.below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}
