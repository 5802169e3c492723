package report

import (
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/rating"
)

func TestTuning(t *testing.T) {
	tuning := Tuning{
		File: "tune.yaml", Game: "nim", Limit: "nodes 5", Iterations: 2, Planned: 2, Games: 8, Warnings: []string{"y: too few games"},
		Options: []TunedOption{{Name: "x|\x1b", Start: 4, Value: 5, Text: "5"}, {Name: "y", Start: 0.5, Value: 0.25, Text: "0.25"}},
	}
	show := func(edit func(*Tuning)) string {
		r := tuning
		if edit != nil {
			edit(&r)
		}
		var text strings.Builder
		if err := r.Write(&text, Markdown); err != nil {
			t.Fatal(err)
		}
		return text.String()
	}
	half := func(r *Tuning) { r.Iterations = 1 }
	if got := show(half); !strings.Contains(got, "1 step of 8 games of 2 steps: ") || !strings.Contains(got, "y 0.25") || !strings.Contains(got, "y: too few games") || strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
	for want, edit := range map[string]func(*Tuning){
		" is what it was, after 2 steps of 8 games.": nil,
		" is better than before: H1 is accepted, ": func(r *Tuning) {
			r.Take(&Verdict{Passed: true, Stages: []VerdictStage{{Limit: "nodes 5", Score: arena.Score{Pairs: &rating.Penta{}}, Test: arena.TestState{Decision: rating.H1}}}})
		},
		" is not better than before, ": func(r *Tuning) {
			r.Take(&Verdict{Stages: []VerdictStage{{Limit: "nodes 5", Score: arena.Score{Pairs: &rating.Penta{}}, Test: arena.TestState{Decision: rating.H0}}}})
		},
	} {
		if got := show(edit); !strings.Contains(got, want) {
			t.Errorf("%q is missing in %s", want, got)
		}
	}
}
