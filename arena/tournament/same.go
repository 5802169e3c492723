package tournament

import (
	"math"

	"thera/arena"
)

// samePairs is how many pairs without a difference show that two engines play the
// same moves.
const samePairs = 50

// alike reports whether the two games of a pair are the same moves: the engines
// played alike, since they changed seats.
func (s *slot) alike() bool {
	a, b := s.games[0], s.games[1]
	return a != nil && b != nil && a.Sameness != 0 && a.Sameness == b.Sameness && a.Source != arena.Faulted
}

// speed is the logarithm of A's nodes a second in a pair, as a ratio to B's; NaN if an
// engine reports none.
func (s *slot) speed() float64 {
	var a, b arena.Effort
	for _, g := range s.games {
		if g != nil {
			a.Add(g.Side(0))
			b.Add(g.Side(1))
		}
	}
	log := math.Log(float64(a.Nodes) / float64(a.Wall) * float64(b.Wall) / float64(b.Nodes))
	if math.IsInf(log, 0) {
		return math.NaN()
	}
	return log
}

// slower is the ratio of speeds that is a slowdown, and surely how many standard errors
// tell it from the noise of a machine.
const (
	slower = 0.9
	surely = 3
)

// speeds is the mean of ratios of speeds. Both engines play in each pair, so that what
// else the machine does slows both; and a pair in which it stalled is one of many.
type speeds struct{ n, sum, squares float64 }

func (s *speeds) add(log float64) {
	if !math.IsNaN(log) {
		s.n++
		s.sum += log
		s.squares += log * log
	}
}

// ratio is the geometric mean, nil if nothing is known, and whether it is a slowdown.
func (s *speeds) ratio() (*float64, bool) {
	if s.n == 0 {
		return nil, false
	}
	mean := s.sum / s.n
	ratio := math.Exp(mean)
	if s.n < 2 {
		return &ratio, false
	}
	variance := max(s.squares-s.n*mean*mean, 0) / (s.n - 1)
	return &ratio, ratio < slower && mean+surely*math.Sqrt(variance/s.n) < 0
}
