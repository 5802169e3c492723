package net

import (
	"math/rand/v2"
	"testing"

	"thera/engine/game"
	"thera/engine/gyges/internal/gygestest"
	"thera/engine/gyges/rules"
)

// randomWeights are small enough that no sum overflows.
func randomWeights(seed uint64) []int16 {
	random := rand.New(rand.NewPCG(seed, 1))
	weights := make([]int16, Rows*Width)
	for i := range weights {
		weights[i] = int16(random.IntN(701) - 350)
	}
	return weights
}

// slow is the definition of the network, sum by sum.
func slow(weights []int16, v *View) int {
	total := 0
	for i := range Width {
		sum := 0
		for _, r := range v.AppendFeatures(nil) {
			sum += int(weights[int(r)*Width+i])
		}
		if sum = max(sum, 0); i < Width/2 {
			total += sum
		} else {
			total -= sum
		}
	}
	return total / Unit
}

// views calls see with views of n random positions.
func views(seed uint64, n int, see func(v View)) {
	gen := rules.NewGenerator()
	gygestest.Positions(seed, func(b rules.Board, seat game.Seat) bool {
		see(Look(gen, b, seat))
		n--
		return n > 0
	})
}

func TestEvaluateIsTheDefinition(t *testing.T) {
	weights := randomWeights(5)
	n, err := New(weights)
	if err != nil {
		t.Fatal(err)
	}
	far := 0
	views(3, 2000, func(v View) {
		got := n.Evaluate(&v)
		if want := slow(weights, &v); got != want {
			t.Fatalf("%s %d: %d, want %d", v.Board, v.Seat, got, want)
		}
		if got > 200 || got < -200 {
			far++
		}
	})
	if far == 0 {
		t.Error("all evaluations are near 0")
	}
	if _, err := New(weights[1:]); err == nil {
		t.Error("a missing weight is not seen")
	}
}

// TestEmbedded reads the weights of the program.
func TestEmbedded(t *testing.T) {
	n, r, err := Format.Decode(weightsFile)
	if err != nil {
		t.Fatal(err)
	}
	if r.Games == 0 || r.Positions == 0 || r.HeldOut == 0 || r.Epochs == 0 || len(r.Sources) == 0 || r.Loss <= 0 || r.Loss >= r.HandLoss {
		t.Errorf("record %+v", r)
	}
	if *n != *Embedded() {
		t.Error("the embedded net is another one")
	}
}
