package net

import (
	"math/rand/v2"
	"testing"
)

// TestKernels compares the two implementations on random numbers.
func TestKernels(t *testing.T) {
	if !vector {
		t.Log("no vector instructions here: only the portable code is used")
	}
	random := rand.New(rand.NewPCG(4, 4))
	rows := make([]row, 50)
	for round := range 500 {
		limit := 1 << (round % 15)
		for i := range rows {
			for l := range Lanes {
				rows[i].set(l, int16(random.IntN(2*limit)-limit))
			}
		}
		lists := [2][]uint32{make([]uint32, unroll*random.IntN(4), 20), make([]uint32, unroll*random.IntN(4), 20)}
		for _, list := range lists {
			for i := range list {
				list[i] = uint32(random.IntN(len(rows)) * rowBytes)
			}
		}
		var w weights
		list := make([]int16, Size-Rows*Lanes)
		for i := range list {
			list[i] = int16(random.IntN(2*limit) - limit)
		}
		w.read(list)
		sums, pools := [2]row{rows[0], rows[0]}, [2][2]row{}
		for side := range 2 {
			viewGeneric(&sums[0], rows, lists[0], rows, lists[1], &pools[0][side])
			view(&sums[1], rows, lists[0], rows, lists[1], &pools[1][side])
		}
		if sums[0] != sums[1] || pools[0] != pools[1] {
			t.Fatalf("round %d: sums %v and %v, activations %v and %v", round, sums[0], sums[1], pools[0], pools[1])
		}
		if a, b := secondGeneric(&pools[0], &w), second(&pools[1], &w); a != b {
			t.Fatalf("round %d: values %d and %d", round, a, b)
		}
	}
}
