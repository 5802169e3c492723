package search

import (
	"testing"

	"thera/engine/gametest"
)

// A cleared table equals a new one after few writes, after many, and after the
// writes of several threads.
func TestClearedTableIsFresh(t *testing.T) {
	gametest.Sequential(t)
	for _, writes := range []int{0, 10, fewTouched, fewTouched + 1, 3 * fewTouched} {
		for _, shared := range []bool{false, true} {
			var tab table
			tab.resize(1 << 20)
			for round := range 2 {
				if shared {
					tab.share()
				}
				tab.age()
				for i := range writes {
					tab.store(splitMix(uint64(i)), entry{tag: 7, depth: i % 20, bound: boundExact})
				}
				if _, ok := tab.probe(splitMix(uint64(max(writes, 1) - 1))); ok != (writes > 0) {
					t.Fatalf("%d writes, shared %v, round %d: the last one is found: %v", writes, shared, round, ok)
				}
				tab.clear()
				if tab.generation != 0 {
					t.Errorf("generation %d after clear", tab.generation)
				}
				for i := range tab.buckets {
					for j := range tab.buckets[i] {
						if s := &tab.buckets[i][j]; s.check.Load() != 0 || s.data.Load() != 0 {
							t.Fatalf("%d writes, shared %v, round %d: bucket %d is not empty", writes, shared, round, i)
						}
					}
				}
			}
		}
	}
}
