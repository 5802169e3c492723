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
var prior = [5]float64{1, 1, 3, 1, 1}

// line is what the games say so far of a line of versions. They are numbered from 0;
// step k is between version k-1 and version k.
//
// It assumes that one step changed the strength, by an unknown amount up or down, and
// that all others changed nothing. It keeps a posterior over the steps, which all games
// share, and says which two versions to play next: those whose games are expected to
// tell most.
type line struct {
	versions int
	played   map[[2]int]rating.Penta // older, newer: from the view of the older one
}

// newLine is a search over a line of at least two versions.
func newLine(versions int) *line {
	return &line{versions: versions, played: map[[2]int]rating.Penta{}}
}

// set sets all finished pairs of games between two versions, from the view of
// the older one.
func (s *line) set(older, newer int, pairs rating.Penta) {
	s.played[[2]int{older, newer}] = pairs
}

// between are the finished pairs of games between two versions.
func (s *line) between(older, newer int) rating.Penta { return s.played[[2]int{older, newer}] }

// posterior is what is known.
type posterior struct {
	Step  []float64 // probability of step k at k-1
	Elo   []float64 // of each version, relative to version 0
	Error []float64 // ... its standard deviation
}

// best is the most likely step and its probability.
func (p *posterior) best() (step int, probability float64) {
	for k, q := range p.Step {
		if q > probability {
			step, probability = k+1, q
		}
	}
	return step, probability
}

// effect is one possible size of the step. The distribution of results is that
// of equal versions, tilted by exp(theta·x), where x is the score of the older
// version in a pair, less one half.
type effect struct {
	elo   float64 // of the older version over the newer one
	theta float64
	norm  float64 // log of the sum of the tilted distribution
	mean  float64 // of x
	sd    float64
}

var scores = [5]float64{-0.5, -0.25, 0, 0.25, 0.5}

// equal is the distribution of results between equal versions: all results,
// and their mirror images.
func (s *line) equal() [5]float64 {
	p := prior
	for _, pairs := range s.played {
		for c, n := range pairs {
			p[c] += float64(n) / 2
			p[4-c] += float64(n) / 2
		}
	}
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	for c := range p {
		p[c] /= sum
	}
	return p
}

// tilted is the effect with that theta.
func tilted(base [5]float64, theta float64) effect {
	e := effect{theta: theta}
	sum, square, total := 0.0, 0.0, 0.0
	for c, x := range scores {
		w := base[c] * math.Exp(theta*x)
		total += w
		sum += w * x
		square += w * x * x
	}
	e.norm, e.mean = math.Log(total), sum/total
	e.sd = math.Sqrt(max(square/total-e.mean*e.mean, 1e-6))
	return e
}

// effects are the possible sizes, losses and gains.
func effects(base [5]float64) []effect {
	var list []effect
	for n := range sizes {
		elo := leastElo * math.Pow(mostElo/leastElo, float64(n)/(sizes-1))
		want := rating.Expected(elo) - 0.5
		lo, hi := 0.0, 400.0 // the mean grows with theta
		for range 60 {
			if mid := (lo + hi) / 2; tilted(base, mid).mean < want {
				lo = mid
			} else {
				hi = mid
			}
		}
		for _, sign := range []float64{1, -1} {
			e := tilted(base, sign*lo)
			e.elo = sign * elo
			list = append(list, e)
		}
	}
	return list
}

// weights are the posterior probabilities of all steps and sizes.
func (s *line) weights(all []effect) [][]float64 {
	steps := s.versions - 1
	sum, count := make([]float64, steps+1), make([]float64, steps+1)
	for at, pairs := range s.played {
		n, x := float64(pairs.Pairs()), 0.0
		for c, m := range pairs {
			x += scores[c] * float64(m)
		}
		for k := at[0] + 1; k <= at[1]; k++ {
			sum[k] += x
			count[k] += n
		}
	}
	w := make([][]float64, steps)
	most := math.Inf(-1)
	for k := range w {
		w[k] = make([]float64, len(all))
		for i, e := range all {
			w[k][i] = e.theta*sum[k+1] - e.norm*count[k+1]
			most = max(most, w[k][i])
		}
	}
	total := 0.0
	for k := range w {
		for i := range w[k] {
			w[k][i] = math.Exp(w[k][i] - most)
			total += w[k][i]
		}
	}
	for k := range w {
		for i := range w[k] {
			w[k][i] /= total
		}
	}
	return w
}

// posterior returns what the games say.
func (s *line) posterior() posterior {
	all := effects(s.equal())
	w := s.weights(all)
	p := posterior{Step: make([]float64, s.versions-1), Elo: make([]float64, s.versions), Error: make([]float64, s.versions)}
	mean, square := 0.0, 0.0
	for k := range w {
		for i, e := range all {
			p.Step[k] += w[k][i]
			mean -= w[k][i] * e.elo
			square += w[k][i] * e.elo * e.elo
		}
		p.Elo[k+1] = mean
		p.Error[k+1] = math.Sqrt(max(square-mean*mean, 0))
	}
	return p
}

// next returns the two versions that play next: the one that parts what is probable
// most evenly, and the first or the last one, whichever it has played less. The step
// is on one of its sides, and these games show how large it is.
func (s *line) next() (older, newer int) {
	last := s.versions - 1
	middle, even, below := last, 0.5, 0.0
	for k, q := range s.posterior().Step[:last-1] {
		below += q
		if off := math.Abs(below - 0.5); off < even {
			middle, even = k+1, off
		}
	}
	if middle < last && s.between(middle, last).Pairs() < s.between(0, middle).Pairs() {
		return middle, last
	}
	return 0, middle
}
