package tournament

import (
	"math/rand/v2"
	"testing"
)

// Noise is rarely a slowdown, in few pairs too, and half the speed is one.
func TestNoiseIsNoSlowdown(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	slow := func(pairs int, mean, noise float64) (share float64) {
		const tries = 10_000
		for range tries {
			var s speeds
			for range pairs {
				s.add(mean + noise*random.NormFloat64())
			}
			if _, is := s.ratio(); is {
				share += 1. / tries
			}
		}
		return share
	}
	for _, pairs := range []int{2, 3, 5, 10, 100} {
		if share := slow(pairs, 0, 0.5); share > 0.02 {
			t.Errorf("%d pairs of equal speeds are a slowdown in %.1f %%", pairs, 100*share)
		}
	}
	if share := slow(10, -0.69, 0.2); share < 0.99 {
		t.Errorf("ten pairs of half the speed are a slowdown in %.1f %%", 100*share)
	}
}
