package tables

import (
	"math/rand/v2"
	"testing"

	"thera/engine/gametest"
	"thera/engine/mill/rules"
)

// All images of a position have one entry, and the entry holds one of them. In full also
// with nine men.
func TestIndexLong(t *testing.T) {
	pairs := [][2]int{{5, 4}, {7, 3}, {3, 7}}
	if gametest.Long(t) {
		pairs = append(pairs, [2]int{9, 3}, [2]int{3, 9}, [2]int{8, 4})
	}
	rng, tables := rand.New(rand.NewPCG(8, 8)), New(true)
	for _, n := range pairs {
		s := &space{mover: tables.ranking(n[0]), other: tables.ranking(n[1])}
		for range 2000 {
			var men, other rules.Set
			for i, p := range rng.Perm(rules.Points)[:n[0]+n[1]] {
				if i < n[0] {
					men |= rules.Point(p).Set()
				} else {
					other |= rules.Point(p).Set()
				}
			}
			at := s.index(men, other)
			if at < 0 || at >= s.size() {
				t.Fatalf("%v: entry %d of %d", n, at, s.size())
			}
			kept, keptOther, ok := s.position(at)
			found := false
			for i := range rules.Symmetries {
				if s.index(men.Image(i), other.Image(i)) != at {
					t.Fatalf("%v: image %d of %06x %06x has another entry", n, i, men, other)
				}
				found = found || men.Image(i) == kept && other.Image(i) == keptOther
			}
			if !ok || !found {
				t.Fatalf("%v: entry %d of %06x %06x holds %06x %06x, used %v", n, at, men, other, kept, keptOther, ok)
			}
		}
	}
}
