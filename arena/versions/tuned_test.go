package versions

import (
	"testing"

	"thera/arena"
	"thera/arena/rating"
	"thera/engine/gametest/nim"
)

// The answer has the path of each option, and says where nothing is known.
func TestTuned(t *testing.T) {
	plan := &arena.Plan{File: "tune.yaml", Game: nim.New(), Limit: arena.Limit{Nodes: 5}}
	tune := &arena.Tune{Iterations: 2, Options: []arena.TuneOption{
		{Name: "x", Start: 4, Max: 9, CEnd: 1, REnd: 0.5}, {Name: "y", Start: 0.5, Max: 1, CEnd: 0.1, REnd: 0.5, Fractions: true},
	}}
	arena.SetDefaults(tune)
	s := newSPSA(tune, 1)
	s.add(rating.Penta{0, 0, 2, 0, 0})
	if r := newTuning(plan, tune, s, 4); r.Iterations != 1 || r.Planned != 2 || r.Games != 4 || r.File != "tune.yaml" || r.Game != "nim" || len(r.Warnings) != 2 {
		t.Errorf("%+v", r)
	}
	s.add(rating.Penta{0, 0, 0, 0, 2})
	r := newTuning(plan, tune, s, 8)
	if o := r.Options[1]; len(o.Path) != 3 || len(o.Spread) != 2 || o.Path[0] != 0.5 || o.Path[1] != 0.5 || o.Path[2] == 0.5 || o.Optimum != nil || o.Text == "" {
		t.Errorf("%+v", o)
	}
	if want := "y: too few games were played far above and below to say where it is best"; r.Warnings[1] != want {
		t.Errorf("%q, want %q", r.Warnings[1], want)
	}
}
