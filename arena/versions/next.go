package versions

import "math"

// bins is the number of classes of the result of a batch of games, for expected
// information.
const bins = 41

// novelty is what a version that was never played costs: it must be built.
const novelty = 0.05

// next returns the two versions whose next batch of so many pairs is expected to
// tell most about the step.
func (s *line) next(batch int) (older, newer int) {
	base := s.equal()
	all := effects(base)
	w := s.weights(all)
	still := tilted(base, 0)
	null := still.batch(batch)
	results := make([][bins]float64, len(all))
	for i := range all {
		results[i] = all[i].batch(batch)
	}
	// Sums over the steps up to k: their probability, the results that they
	// predict for versions on both sides, and the entropy of these.
	steps := s.versions - 1
	mass, entropies := make([]float64, steps+1), make([]float64, steps+1)
	mixed := make([][bins]float64, steps+1)
	for k := range steps {
		predicted, p := [bins]float64{}, 0.0
		for i, x := range w[k] {
			p += x
			for b := range predicted {
				predicted[b] += x * results[i][b]
			}
		}
		mass[k+1] = mass[k] + p
		mixed[k+1] = mixed[k]
		for b := range predicted {
			mixed[k+1][b] += predicted[b]
			if p > 0 {
				predicted[b] /= p
			}
		}
		entropies[k+1] = entropies[k] + p*entropy(&predicted)
	}
	known := make([]bool, s.versions)
	for at, pairs := range s.played {
		if pairs.Pairs() > 0 {
			known[at[0]], known[at[1]] = true, true
		}
	}
	older, newer = 0, steps
	best, silent := -1.0, entropy(&null)
	for i := range steps {
		for j := i + 1; j <= steps; j++ {
			rest := 1 - (mass[j] - mass[i])
			var result [bins]float64
			for b := range result {
				result[b] = mixed[j][b] - mixed[i][b] + rest*null[b]
			}
			told := entropy(&result) - (entropies[j] - entropies[i]) - rest*silent
			for _, v := range []int{i, j} {
				if !known[v] {
					told *= 1 - novelty
				}
			}
			if told > best {
				best, older, newer = told, i, j
			}
		}
	}
	return older, newer
}

// batch is the distribution of the mean of a batch, by its normal approximation.
func (e *effect) batch(pairs int) [bins]float64 {
	var p [bins]float64
	sd := e.sd / math.Sqrt(float64(pairs))
	before := 0.0
	for b := range p {
		below := 1.0
		if b < bins-1 {
			edge := -0.5 + float64(b+1)/bins
			below = math.Erfc(-(edge-e.mean)/sd/math.Sqrt2) / 2
		}
		p[b], before = max(below-before, 0), below
	}
	return p
}

func entropy(p *[bins]float64) float64 {
	h := 0.0
	for _, x := range p {
		if x > 1e-12 {
			h -= x * math.Log(x)
		}
	}
	return h
}
