package versions

import (
	"math"

	"thera/arena/rating"
)

// The step's size has a prior that is uniform in its logarithm between these
// Elo differences, and equal for gains and losses.
const (
	leastElo = 4.0
	mostElo  = 600.0
	sizes    = 24
)

// prior are the pairs that are assumed before the first one is played: without
// them the spread of results would be unknown.
var prior = rating.Penta{1, 1, 3, 1, 1}

// line is what the games say so far of a line of versions, the oldest first. Step k is
// between version k-1 and version k.
//
// It assumes that one step changed the strength, by an unknown amount up or down, and
// that all others changed nothing. It keeps a posterior over the steps, which all games
// share, and says which two versions to play next: the two with the most to learn from
// their games.
type line struct {
	// failed says which versions cannot be built. A step to one is counted as that to the next
	// version that can.
	failed []bool

	// played has the finished pairs of an older and a newer version, from the view of the
	// older one.
	played map[[2]int]rating.Penta
}

// newLine is a search over a line of at least two versions.
func newLine(versions int) line {
	return line{failed: make([]bool, versions), played: map[[2]int]rating.Penta{}}
}

// posterior is what is known, by version.
type posterior struct {
	Step  []float64 // probability of the step to it
	Elo   []float64 // relative to version 0
	Error []float64 // ... its standard deviation
}

// best is the most likely step and its probability.
func (p *posterior) best() (step int, probability float64) {
	for k, q := range p.Step {
		if q > probability {
			step, probability = k, q
		}
	}
	return step, probability
}

// lead is the sum of the first one's scores in pairs, less one half each, and the sum of their
// squares.
func lead(pairs rating.Penta) (sum, squares float64) {
	for c, n := range pairs {
		x := float64(c)/4 - 0.5
		sum += x * float64(n)
		squares += x * x * float64(n)
	}
	return sum, squares
}

// posterior returns what the games say. The scores of pairs are normal, with the spread that all
// of them have.
func (s *line) posterior() posterior {
	versions := len(s.failed)
	leads, pairs := make([]float64, versions), make([]float64, versions) // of the games of both sides of each step
	_, squares := lead(prior)
	all := float64(prior.Pairs())
	for at, played := range s.played {
		sum, more := lead(played)
		n := float64(played.Pairs())
		squares, all = squares+more, all+n
		for k := at[0] + 1; k <= at[1]; k++ {
			leads[k] += sum
			pairs[k] += n
		}
	}
	variance := squares / all
	type place struct {
		step        int
		elo, weight float64 // of the older version over the newer one
	}
	var places []place
	most := math.Inf(-1)
	for k := range versions {
		for n := range sizes {
			if k == 0 || s.failed[k] {
				break
			}
			elo := leastElo * math.Pow(mostElo/leastElo, float64(n)/(sizes-1))
			for _, elo := range []float64{elo, -elo} {
				mean := rating.Expected(elo) - 0.5
				weight := (mean*leads[k] - mean*mean*pairs[k]/2) / variance
				places, most = append(places, place{k, elo, weight}), max(most, weight)
			}
		}
	}
	p := posterior{Step: make([]float64, versions), Elo: make([]float64, versions), Error: make([]float64, versions)}
	total := 0.0
	for i := range places {
		places[i].weight = math.Exp(places[i].weight - most)
		total += places[i].weight
	}
	for _, at := range places {
		q := at.weight / total
		p.Step[at.step] += q
		for version := at.step; version < versions; version++ {
			p.Elo[version] -= q * at.elo
			p.Error[version] += q * at.elo * at.elo
		}
	}
	for i, square := range p.Error {
		p.Error[i] = math.Sqrt(max(square-p.Elo[i]*p.Elo[i], 0))
	}
	return p
}

// next returns the two versions that play next: the one that parts what is probable
// most evenly, and the first or the last one, whichever it has played less. The step
// is on one of its sides, and these games show how large it is.
func (s *line) next(p *posterior) (older, newer int) {
	last := len(s.failed) - 1
	middle, even, below := last, 0.5, 0.0
	for k, q := range p.Step[:last] {
		below += q
		if off := math.Abs(below - 0.5); off < even && k > 0 && !s.failed[k] {
			middle, even = k, off
		}
	}
	if middle < last && s.played[[2]int{middle, last}].Pairs() < s.played[[2]int{0, middle}].Pairs() {
		return middle, last
	}
	return 0, middle
}
