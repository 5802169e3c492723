package plot

import (
	"strings"
	"testing"

	"thera/arena/report"
)

func TestTuning(t *testing.T) {
	lo, hi := 3.0, 400.0
	r := &report.Tuning{Iterations: 2, Options: []report.TunedOption{
		{Name: "a<b", Path: []float64{1, 2, 2.5}, Spread: []float64{1, 0.5}, OptimumLo: &lo, OptimumHi: &hi}, // the upper bound is beyond the paper
		{Name: "still", Path: []float64{7, 7, 7}, Spread: []float64{0, 0}},
	}}
	text, err := Tuning(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a&lt;b", ">still<", "over 2 steps"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %s", want, text)
		}
	}
	if n := strings.Count(text, "stroke-dasharray"); n != 1 {
		t.Errorf("%d bounds are drawn, want 1", n)
	}
	if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Errorf("a number that is none in %s", text)
	}
	if _, err := Tuning(&report.Tuning{}); err == nil {
		t.Error("a plot of nothing")
	}
}
