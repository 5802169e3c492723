package net

import (
	"math/rand/v2"
	"testing"

	"thera/engine/santorini/rules"
)

// TestKernels compares the two implementations with weights of all sizes, up to sums of rows
// that overflow. Those of the second layer cannot, see check.
func TestKernels(t *testing.T) {
	if !vector {
		t.Log("no vector instructions here: only the portable code is used")
	}
	for _, gods := range [][]rules.God{{rules.Mortal}, everyGod()} {
		for bit := 0; bit < 15; bit += 2 {
			random := rand.New(rand.NewPCG(4, uint64(bit)))
			weights := make([]int16, Size)
			for i := range weights {
				size := bit
				if i >= Rows*Width {
					size = min(bit, 9)
				}
				weights[i] = int16(random.IntN(2<<size) - 1<<size)
			}
			n, err := New(weights)
			if err != nil {
				t.Fatal(err)
			}
			a, b := NewEvaluator(n), NewEvaluator(n)
			walk(t, gods, 3, func(p *rules.State) {
				value := a.Evaluate(p)
				fast := vector
				vector = false
				want := b.Evaluate(p)
				vector = fast
				if value != want || a.sums != b.sums || a.seen != b.seen || a.pool != b.pool {
					t.Fatalf("%s, weights of %d bits: values %d and %d, activations %v and %v", rules.Text(p, rules.V2), bit, value, want, a.pool, b.pool)
				}
			})
		}
	}
}
