package report

import (
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/rating"
	"thera/arena/spsa"
	"thera/engine/gametest/nim"
)

func TestTuning(t *testing.T) {
	plan := &arena.Plan{File: "tune.yaml", Game: nim.New(), Limit: arena.Limit{Nodes: 5}}
	tune := &arena.Tune{Iterations: 2, Options: []arena.TuneOption{{Name: "x|\x1b", Start: 4, Max: 9, CEnd: 1, REnd: 0.5}, {Name: "y", Start: 0.5, Max: 1, CEnd: 0.1, REnd: 0.5, Fractions: true}}}
	arena.SetDefaults(tune)
	s := spsa.New(tune, 1)
	show := func(edit func(*Tuning)) string {
		r := NewTuning(plan, tune, s, 8)
		if edit != nil {
			edit(r)
		}
		var text strings.Builder
		if err := r.Write(&text, Markdown); err != nil {
			t.Fatal(err)
		}
		return text.String()
	}
	s.Add(rating.Penta{0, 0, 2, 0, 0})
	if got := show(nil); !strings.Contains(got, "1 step of 8 games of 2 steps: ") || !strings.Contains(got, "y: the games do not show where it is best") || strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
	s.Add(rating.Penta{0, 0, 0, 0, 2})
	r := NewTuning(plan, tune, s, 8)
	if o := r.Options[1]; len(o.Path) != 3 || len(o.Spread) != 2 || o.Path[0] != 0.5 || o.Path[1] != 0.5 || o.Path[2] == 0.5 || o.Optimum != nil {
		t.Errorf("%+v", o)
	}
	for want, edit := range map[string]func(*Tuning){
		" is what it was, after 2 steps of 8 games.": nil,
		" is better than before: H1 is accepted, ": func(r *Tuning) {
			r.Take(&Verdict{Passed: true, Stages: []VerdictStage{{Limit: "nodes 5", Score: Score{Pairs: &[5]int{}}, Test: TestResult{Decision: rating.H1}}}})
		},
		" is not better than before, ": func(r *Tuning) {
			r.Take(&Verdict{Stages: []VerdictStage{{Limit: "nodes 5", Score: Score{Pairs: &[5]int{}}, Test: TestResult{Decision: rating.H0}}}})
		},
	} {
		if got := show(edit); !strings.Contains(got, want) {
			t.Errorf("%q is missing in %s", want, got)
		}
	}
}
