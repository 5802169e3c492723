package fit

import "testing"

func TestTarget(t *testing.T) {
	s := samples[int]{list: []Sample[int]{{Score: 0, Outcome: 1}, {Score: 0, Outcome: -1}, {Score: 0, Aside: true}, {Score: 31990, Outcome: -1}}, lambda: 0.7, points: 150}
	for i, want := range []float64{0.65, 0.35, 0.5, 1} {
		if got := s.Target(i); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("sample %d: %v, want %v", i, got, want)
		}
	}
}
