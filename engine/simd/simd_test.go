package simd

import (
	"math/rand/v2"
	"testing"
)

// TestSums adds and subtracts random elements and compares with plain numbers.
func TestSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var word, sum uint64
		want := 0
		for range 3 {
			word = 0
			var elements [4]int
			for range 20 {
				for i := range elements {
					n := random.IntN(3000) - 1500
					if random.IntN(3) > 0 {
						elements[i] += n
						word += Element(int16(n), i)
					} else {
						elements[i] -= n
						word -= Element(int16(n), i)
					}
				}
			}
			positive := Positive(word)
			for _, n := range elements {
				want += max(n, 0)
			}
			if random.IntN(2) == 0 {
				sum += positive
				continue
			}
			for _, n := range elements {
				want -= 2 * max(n, 0)
			}
			sum -= positive
		}
		if got := Score(sum); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	}
}
