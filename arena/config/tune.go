package config

import (
	"fmt"
	"math"

	"thera/arena"
)

// Tune reads the part tune of the file. The error is an Errors if it is wrong.
func (c *Contest) Tune() (*arena.Tune, error) {
	r, p := c.match(Match{Name: "tune", Alike: []string{"plus", "minus"}, Stage: -1, Format: "round-robin"})
	if !r.given("tune") {
		r.bad("tune", "missing, expected {iterations: …, options: [{name: …, start: …, min: …, max: …, c_end: …}]}")
	}
	tune := c.keys.Tune
	r.tune(p, &tune)
	return &tune, r.err()
}

// tune checks how the settings of a tuning fit together.
func (r *reader) tune(p *arena.Plan, t *arena.Tune) {
	if r.given("tune.options") && len(t.Options) == 0 && r.clean("tune.options") {
		r.bad("tune.options", "no options, expected what is to be tuned")
	}
	seen := map[string]bool{}
	for i := range t.Options {
		o, path := &t.Options[i], fmt.Sprintf("tune.options[%d]", i)
		if seen[o.Name] {
			r.bad(path+".name", "%q is tuned twice", o.Name)
		}
		seen[o.Name] = true
		if !r.clean(path) {
			continue
		}
		switch low, high := math.Ceil(o.Min), math.Floor(o.Max); {
		case o.Min >= o.Max:
			r.bad(path+".max", "%v is not above min %v", o.Max, o.Min)
		case o.Start < o.Min || o.Start > o.Max:
			r.bad(path+".start", "%v is out of range, expected %v to %v", o.Start, o.Min, o.Max)
		case !o.Fractions && low >= high:
			r.bad(path+".max", "no two whole numbers from %v to %v (fractions: true allows others)", o.Min, o.Max)
		case len(p.Engines) > 0 && p.Engines[0].Builtin && r.game != nil:
			for key, x := range map[string]float64{"min": o.Min, "max": o.Max} {
				if err := r.player().CheckOption(o.Name, o.Text(x)); err != nil {
					r.bad(path+"."+key, "%v, expected an option of the built-in engine and its values", err)
				}
			}
		}
	}
}
