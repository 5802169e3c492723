package versions

import (
	"fmt"
	"math"

	"thera/arena/rating"
)

// optimum is where an option is best, by all games of a tuning.
type optimum struct{ Value, Lo, Hi float64 } // 95 %

// side is what the probes of one side of an option say.
type side struct {
	Value    float64         // the mean of the far values
	Estimate rating.Estimate // of the values that the search had over them
}

// shape says how the strength of an option depends on it, as far as the probes show.
func (s *spsa) shape(option int) string {
	below, above := s.sides(option)
	from, to := below.Value, above.Value
	switch {
	case below.Estimate.Score == nil || above.Estimate.Score == nil:
		return "too few games were played far above and below to say where it is best"
	case below.lower() && above.lower():
		return fmt.Sprintf("the strength is lower at %.4g and at %.4g", from, to)
	case below.higher() && above.higher():
		return fmt.Sprintf("the strength is higher at %.4g and at %.4g than between them", from, to)
	case above.higher():
		return fmt.Sprintf("no optimum: rises towards %.4g", to)
	case below.higher():
		return fmt.Sprintf("no optimum: rises towards %.4g", from)
	case below.lower():
		return fmt.Sprintf("no optimum: lower at %.4g, and flat above: no value up to %.4g is shown to be better or worse", from, to)
	case above.lower():
		return fmt.Sprintf("no optimum: lower at %.4g, and flat below: no value down to %.4g is shown to be better or worse", to, from)
	}
	return fmt.Sprintf("flat: no value between %.4g and %.4g is shown to be better than another", from, to)
}

// lower reports whether the strength is lower there, with 97.5 % confidence.
func (s *side) lower() bool { return s.Estimate.EloLo != nil && *s.Estimate.EloLo > 0 }

// higher reports whether it is higher.
func (s *side) higher() bool { return s.Estimate.EloHi != nil && *s.Estimate.EloHi < 0 }

// sides returns what the probes say about values below and above of an option. A side
// without games has no score.
func (s *spsa) sides(option int) (below, above side) {
	for side, out := range []*side{&below, &above} {
		var counts rating.Penta
		for _, t := range s.tried {
			if p := t.probe; p != nil && p.option == option && p.above == (side == 1) {
				counts = counts.Add(t.counts)
				out.Value += t.pairs * t.minus[option]
			}
		}
		out.Estimate = rating.OfPairs(counts)
		out.Estimate.EloLo, out.Estimate.EloHi = out.Estimate.EloBounds()
		if n := counts.Pairs(); n > 0 {
			out.Value /= float64(n)
		}
	}
	return below, above
}

// optima estimates the best value of each option. It is nil for those of which the
// probes do not show that the strength is lower on both sides: a curve that rises and
// then is flat fits a parabola as well.
//
// If the Elo is a sum of parabolas around optima x, the log odds of settings at m+d/2
// against those at m-d/2 are a sum of terms proportional to d·(x-m): a logistic
// regression on d and d·m of all options. The intervals are Fieller's, for the ratio
// of two coefficients, within the values that were probed.
func (s *spsa) optima() []*optimum {
	z95 := rating.T95(math.Inf(1))
	options := len(s.tune.Options)
	optima := make([]*optimum, options)
	centre, scale := make([]float64, options), make([]float64, options)
	for i := range centre {
		weight := 0.0
		for _, t := range s.tried {
			d := t.plus[i] - t.minus[i]
			centre[i] += t.pairs * d * d * (t.plus[i] + t.minus[i]) / 2
			weight += t.pairs * d * d
		}
		if weight > 0 {
			centre[i] /= weight
		}
		scale[i] = s.tune.Options[i].CEnd // keeps the numbers of all options alike
	}
	var trials []rating.Trial
	for _, t := range s.tried {
		if t.pairs == 0 {
			continue
		}
		p := rating.Trial{Pairs: t.pairs, Score: 0.5 + t.lead/t.pairs/4}
		for i := range options {
			d := (t.plus[i] - t.minus[i]) / scale[i]
			p.X = append(p.X, d, -d*((t.plus[i]+t.minus[i])/2-centre[i])/scale[i])
		}
		trials = append(trials, p)
	}
	b, v, known := rating.Regress(trials)
	for i := range optima {
		below, above := s.sides(i)
		if !known || b[2*i+1] <= 0 || !below.lower() || !above.lower() {
			continue
		}
		a, b, z2 := b[2*i], b[2*i+1], z95*z95
		square, middle, constant := b*b-z2*v(2*i+1, 2*i+1), a*b-z2*v(2*i, 2*i+1), a*a-z2*v(2*i, 2*i)
		half := math.Sqrt(max(middle*middle-square*constant, 0))
		at := func(x float64) float64 { return centre[i] + scale[i]*x }
		o := &optimum{Value: at(a / b), Lo: below.Value, Hi: above.Value}
		if square > 0 {
			o.Lo, o.Hi = max(o.Lo, at((middle-half)/square)), min(o.Hi, at((middle+half)/square))
		}
		if o.Lo <= o.Value && o.Value <= o.Hi {
			optima[i] = o
		}
	}
	return optima
}
