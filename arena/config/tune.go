package config

import (
	"fmt"
	"math"
	"strings"

	"thera/arena"
)

// Tune reads the part tune of the file. The error is an Errors if it is wrong.
func (c *Contest) Tune() (*arena.Tune, error) {
	tune := &arena.Tune{}
	arena.SetDefaults(tune)
	r, _ := resolve(c.file, c.text, c.sets, c.host, c.hashes, func(r *resolver) {
		if at := below(resolved(r.root), "tune"); at == nil {
			r.fault(r.root, "tune", "missing, expected {iterations: …, options: [{name: …, start: …, min: …, max: …, c_end: …}]}")
		} else {
			r.decode(at, addressable(tune), "tune", "")
			r.tune(tune)
		}
		r.contest(&Match{Name: "tune", Alike: []string{"plus", "minus"}, Stage: -1, Format: "round-robin"})
	})
	if err := r.err(); err != nil {
		return nil, ofOneEngine(err)
	}
	return tune, nil
}

// tune checks how the settings of a tuning fit together.
func (r *resolver) tune(t *arena.Tune) {
	positive := func(path string, x float64) {
		if !(x > 0) && r.clean(path) {
			r.bad(path, "%v is out of range, expected more than 0", x)
		}
	}
	positive("tune.iterations", float64(t.Iterations))
	positive("tune.pairs", float64(t.Pairs))
	positive("tune.alpha", t.Alpha)
	positive("tune.gamma", t.Gamma)
	if t.Delay < 0 {
		r.bad("tune.a", "%v is negative, expected a share of the iterations such as 0.1", t.Delay)
	}
	if len(t.Options) == 0 && r.clean("tune.options") {
		r.bad("tune.options", "no options, expected what is to be tuned")
	}
	seen := map[string]bool{}
	for i := range t.Options {
		o := &t.Options[i]
		path := fmt.Sprintf("tune.options[%d]", i)
		if seen[o.Name] {
			r.bad(path+".name", "%q is tuned twice", o.Name)
		}
		seen[o.Name] = true
		positive(path+".c_end", o.CEnd)
		if o.REnd != 0 || r.given(strings.Split(fmt.Sprintf("tune.options.%d.r_end", i), ".")...) {
			positive(path+".r_end", o.REnd)
		}
		arena.SetDefaults(o)
		if !r.clean(path) {
			continue
		}
		switch low, high := math.Ceil(o.Min), math.Floor(o.Max); {
		case o.Min >= o.Max:
			r.bad(path+".max", "%v is not above min %v", o.Max, o.Min)
		case o.Start < o.Min || o.Start > o.Max:
			r.bad(path+".start", "%v is out of range, expected %v to %v", o.Start, o.Min, o.Max)
		case !o.Fractions && low >= high:
			r.bad(path+".max", "there are no two whole numbers from %v to %v (fractions: true allows others)", o.Min, o.Max)
		default:
			r.ownOption(path, o)
		}
	}
}

// ownOption asks a built-in engine about the ends of an option's range.
func (r *resolver) ownOption(path string, o *arena.TuneOption) {
	builtin, _ := scalarOf(find(r.root, "engine.builtin"))
	name, _ := scalarOf(find(r.root, "game"))
	if builtin != "true" {
		return
	}
	for _, g := range r.host.Games {
		if g.Name() != name {
			continue
		}
		for key, x := range map[string]float64{"min": o.Min, "max": o.Max} {
			if err := g.CheckOption(o.Name, o.Text(x)); err != nil {
				r.bad(path+"."+key, "%v, expected an option of the built-in engine and its values", err)
			}
		}
	}
}
