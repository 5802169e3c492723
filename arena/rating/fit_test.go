package rating

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func fitted(t *testing.T, anchors map[string]float64, results ...Meeting) *Ratings {
	t.Helper()
	return Fit(results, anchors)
}

func result(a, b string, w, d, l int64) Meeting { return Meeting{a, b, Singly(WDL{w, d, l})} }

func warned(warnings []string, part string) bool {
	for _, w := range warnings {
		if strings.Contains(w, part) {
			return true
		}
	}
	return false
}

// TestOddTablesStayFinite checks that for unusual results every number is
// finite or nil, with a caveat that says why.
func TestOddTablesStayFinite(t *testing.T) {
	for _, tt := range []struct {
		name    string
		results []Meeting
		prior   bool
		warning string
	}{
		{"whitewash", []Meeting{result("a", "b", 10, 0, 0), result("b", "c", 3, 1, 2)}, true, "a won every game"},
		{"beaten by all", []Meeting{result("a", "b", 4, 0, 6), result("b", "c", 5, 0, 0), result("a", "c", 5, 0, 0)}, true, "c lost every game"},
		{"two groups", []Meeting{result("a", "b", 3, 0, 4), result("c", "d", 1, 2, 1)}, true, "not every player scored"},
		{"one game", []Meeting{result("a", "b", 1, 0, 0)}, true, "a won every game"},
		{"one draw", []Meeting{result("a", "b", 0, 1, 0)}, false, "all results are equal"},
		{"all drawn", []Meeting{result("a", "b", 0, 9, 0), result("b", "c", 0, 9, 0)}, false, "all results are equal"},
		{"a huge whitewash", []Meeting{result("a", "b", 1e9, 0, 0)}, true, "a won every game"},
		{"one half point in a million", []Meeting{result("a", "b", 1e6, 1, 0)}, false, ""},
		{"no games", []Meeting{result("a", "b", 0, 0, 0)}, false, "a and b have no games"},
		{"nothing", nil, false, ""},
		{"chain of wins", []Meeting{result("a", "b", 5, 0, 0), result("b", "c", 5, 0, 0), result("c", "d", 5, 0, 0)}, true, "a won every game"},
	} {
		table := fitted(t, nil, tt.results...)
		if table.fit.prior != tt.prior {
			t.Errorf("%s: prior %v", tt.name, table.fit.prior)
		}
		if tt.warning != "" && !warned(table.Caveats, tt.warning) {
			t.Errorf("%s: warnings %q", tt.name, table.Caveats)
		}
		if _, err := json.Marshal(table.Players); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		for i, p := range table.Players {
			if p.Games > 0 && (p.Elo == nil || math.Abs(*p.Elo) > 1e5) {
				t.Errorf("%s: %s is rated %s", tt.name, p.Name, show(p.Elo))
			}
			if p.Games > 0 && (p.BoundLo == nil || p.BoundHi == nil) {
				t.Errorf("%s: %s has no finite interval", tt.name, p.Name)
			}
			for j := range table.Players {
				if los, ok := table.LOS(i, j); ok && !(los >= 0 && los <= 1) {
					t.Errorf("%s: LOS %v", tt.name, los)
				}
			}
		}
	}
}

// TestAnchors checks that an anchored player keeps its rating, the differences
// are those of the fit without anchors, and the errors are those of the
// differences.
func TestAnchors(t *testing.T) {
	results := []Meeting{result("a", "b", 30, 20, 50), result("b", "c", 40, 30, 30), result("a", "c", 25, 50, 25)}
	free := fitted(t, nil, results...)
	held := fitted(t, map[string]float64{"b": 2500}, results...)
	a, _ := free.Find("a")
	b, _ := free.Find("b")
	apart, _, hi, ok := free.Difference(a, b)
	if !ok {
		t.Fatal("no difference")
	}
	if got := *held.Players[a].Elo; math.Abs(got-2500-apart) > 1e-9 {
		t.Errorf("a is %v above the anchor, want %v", got-2500, apart)
	}
	if got := *held.Players[a].EloHi - *held.Players[a].Elo; math.Abs(got-(*hi-apart)) > 1e-9 {
		t.Errorf("a's error to the anchor %v, want %v", got, *hi-apart)
	}
	if p := held.Players[b]; *p.Elo != 2500 || p.EloLo != nil || p.EloHi != nil {
		t.Errorf("the anchor is %v, bounds %s to %s", *p.Elo, show(p.EloLo), show(p.EloHi))
	}
	if !warned(held.Caveats, "anchored") {
		t.Errorf("warnings %q", held.Caveats)
	}
	// Two anchors connect groups that never met.
	two := fitted(t, map[string]float64{"a": 0, "c": 100}, result("a", "b", 3, 0, 3), result("c", "d", 2, 2, 2))
	d, _ := two.Find("d")
	if two.fit.prior || math.Abs(*two.Players[d].Elo-100) > 1e-9 {
		t.Errorf("prior %v, d at %v", two.fit.prior, *two.Players[d].Elo)
	}
}

// manyResults returns a round robin of n players with random results.
func manyResults(n int) []Meeting {
	rng := rand.New(rand.NewPCG(1, 1))
	var results []Meeting
	for i := range n {
		for j := range i {
			results = append(results, result(fmt.Sprint("p", i), fmt.Sprint("p", j), 20+rng.Int64N(int64(100+i)), rng.Int64N(40), 20+rng.Int64N(int64(100+j))))
		}
	}
	return results
}

// TestHundredPlayersSatisfyTheEquations checks the definition of the fit:
// every player scores as the ratings expect.
func TestHundredPlayersSatisfyTheEquations(t *testing.T) {
	results := manyResults(100)
	table := fitted(t, nil, results...)
	expected := make([]float64, len(table.Players))
	mean := 0.0
	for _, r := range results {
		a, _ := table.Find(r.A)
		b, _ := table.Find(r.B)
		n := float64(r.Games.Games())
		e := Expected(*table.Players[a].Elo - *table.Players[b].Elo)
		expected[a] += n * e
		expected[b] += n * (1 - e)
	}
	for i, p := range table.Players {
		mean += *p.Elo
		if math.Abs(expected[i]-p.Points) > 1e-6 {
			t.Errorf("%s made %v points, expected %v", p.Name, p.Points, expected[i])
		}
	}
	if math.Abs(mean) > 1e-6 {
		t.Errorf("mean %v", mean/100)
	}
}
