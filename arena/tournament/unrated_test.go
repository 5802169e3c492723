package tournament

import (
	"testing"

	"thera/arena"
	"thera/engine/gametest"
)

// unratedPairs is a referee that cannot judge the second game of every n-th pair. In
// the first game of those pairs b wins, in all other games a.
func unratedPairs(n int) referee {
	return func(p Pair, leg int) ended {
		if p.Number%n != 0 {
			return ended{winner: 0}
		}
		return ended{winner: 1, unrated: leg == 1}
	}
}

// Pairs beyond a gap count as they will when it is closed.
func TestUnratedPairsBeyondThePrefix(t *testing.T) {
	plan := planOf("round-robin", 2, 4)
	f, err := New(plan)
	gametest.OK(t, err)
	var held []*arena.Game
	for w, state := f.Next(); state == Ready; w, state = f.Next() {
		for _, leg := range w.Legs {
			game := gameOf(plan, unratedPairs(2), w, leg)
			if held = append(held, game); w.Pair.Number > 0 {
				f.Add(game)
			}
		}
	}
	if sum := summaryOf(f); sum.Unrated != 1 || sum.Counted != 4 {
		t.Errorf("%d unrated, %d counted", sum.Unrated, sum.Counted)
	}
	f.Add(held[1]) // the unrated game of the first pair
	if sum := summaryOf(f); sum.Unrated != 1 || sum.Counted != 4 {
		t.Errorf("half a pair: %d unrated, %d counted", sum.Unrated, sum.Counted)
	}
	f.Add(held[0])
	if sum := summaryOf(f); sum.Unrated != 2 || sum.Counted != 4 || f.Stop() == nil {
		t.Errorf("%d unrated, %d counted, stop %v", sum.Unrated, sum.Counted, f.Stop())
	}
}
