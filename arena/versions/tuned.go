package versions

import (
	"fmt"

	"thera/arena"
	"thera/arena/report"
)

func probed(s *side) report.Probed {
	p := report.Probed{Games: s.Estimate.Games, Elo: s.Estimate.Elo, EloLo: s.Estimate.EloLo, EloHi: s.Estimate.EloHi}
	if p.Games > 0 {
		p.Value = &s.Value
	}
	return p
}

// newTuning describes where a search is.
func newTuning(plan *arena.Plan, tune *arena.Tune, s *spsa, games int) *report.Tuning {
	t := &report.Tuning{
		File: plan.File, Game: plan.Game.Name(), Limit: plan.Limit.Text(), Iterations: s.steps(), Planned: tune.Iterations, Games: games, Warnings: []string{},
	}
	optima, values := s.optima(), s.tuned()
	for i := range tune.Options {
		below, above := s.sides(i)
		o := report.TunedOption{
			Shape: s.shape(i), Below: probed(&below), Above: probed(&above),
			Name: tune.Options[i].Name, Start: tune.Options[i].Start, Value: values[i], Text: tune.Options[i].Text(values[i]), Spread: []float64{},
		}
		for step, at := range s.path {
			if o.Path = append(o.Path, at[i]); step < s.steps() {
				o.Spread = append(o.Spread, s.distance(i, step))
			}
		}
		if best := optima[i]; best != nil {
			o.Optimum, o.OptimumLo, o.OptimumHi = &best.Value, &best.Lo, &best.Hi
		} else {
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s: %s", o.Name, o.Shape))
		}
		t.Options = append(t.Options, o)
	}
	return t
}
