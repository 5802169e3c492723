package rules_test

import (
	"context"
	"testing"

	"thera/engine/mill/rules"
)

func unfinished(t *testing.T) []*rules.Position {
	t.Helper()
	var list []*rules.Position
	for _, v := range readVectors(t) {
		if !v.Over {
			list = append(list, mustParse(t, v.FEN))
		}
	}
	return list
}

// All images of a position with few men have one key.
func TestSharedKey(t *testing.T) {
	for _, p := range unfinished(t) {
		s := p.State()
		for i := range rules.Symmetries {
			other := s
			other.Men = [2]rules.Set{s.Men[0].Image(i), s.Men[1].Image(i)}
			same := other.SharedKey(other.Key()) == s.SharedKey(s.Key())
			few := s.Men[0].Len()+s.Men[1].Len() <= 6
			if few && !same || !few && same && other != s {
				t.Errorf("%s, image %d: shared %v, few men %v", p, i, same, few)
			}
			if s.Men[0].Image(i).Milled() != s.Men[0].Milled().Image(i) || s.Men[1].Image(i).Closing() != s.Men[1].Closing().Image(i) {
				t.Errorf("%s, image %d: mills or closing points differ", p, i)
			}
		}
	}
}

// Counting allocates its lists and nothing per position.
func TestCountAllocations(t *testing.T) {
	start := rules.Start(rules.Default())
	allocations := func(depth int) float64 {
		return testing.AllocsPerRun(3, func() {
			if _, err := start.Count(context.Background(), depth); err != nil {
				t.Error(err)
			}
		})
	}
	if n, more := allocations(3), allocations(4); more > n+6 {
		t.Errorf("a count allocates %v times to depth 3, %v times to depth 4", n, more)
	}
}
