package report

import (
	"testing"

	"thera/arena"
)

// What the bounds of a difference say about the second engine.
func TestComparisonsByTheirBounds(t *testing.T) {
	for _, tt := range []struct {
		name    string
		pairs   [5]int // of a against b
		verdict string
	}{
		{"a gains", [5]int{5, 10, 30, 40, 15}, "worse"},
		{"a loses", [5]int{15, 40, 30, 10, 5}, "better"},
		{"a gains a little", [5]int{10, 20, 40, 22, 10}, "unclear"},
		{"a loses a little", [5]int{10, 22, 40, 20, 10}, "unclear"},
	} {
		games := [3]int{}
		for class, n := range tt.pairs { // as wins and losses of a
			games[0], games[2] = games[0]+class*n/2, games[2]+(4-class)*n/2
		}
		sum := &arena.Summary{
			Run:  arena.RunInfo{Name: "r", Plan: arena.Plan{Engines: []arena.EngineSpec{{Name: "a"}, {Name: "b"}}, Format: arena.Format{Name: "round-robin", Pairs: true}}},
			Rows: []arena.Row{row("a", "b", 0, "", "", games, tt.pairs)},
		}
		r := report(t, sum)
		c, err := Compare(r.Summary, "a", "b")
		if err != nil || c.Verdict != tt.verdict {
			t.Errorf("%s: %v, %+v", tt.name, err, c)
		}
	}
}

// What a test that decided says depends on its bounds.
func TestAnswersOfTests(t *testing.T) {
	for _, tt := range []struct {
		elo0, elo1     float64
		decision, want string
	}{
		{0, 10, "H1", "new is better than old"},
		{-10, 0, "H1", "new is no worse than old by 10 nElo"},
		{0, 10, "H0", "new does not gain 10 nElo on old"},
		{-10, 0, "H0", "new is worse than old"},
		{0, 10, "continue", "It is not decided whether new is better than old"},
	} {
		sum := tested()
		sum.Test.Elo0, sum.Test.Elo1, sum.Test.Decision = tt.elo0, tt.elo1, tt.decision
		if got, _ := report(t, sum).Answer(); got != tt.want {
			t.Errorf("elo0 %g, elo1 %g, %s: %s", tt.elo0, tt.elo1, tt.decision, got)
		}
	}
}

// A tournament with standings is answered by its first two.
func TestAnswersOfStandings(t *testing.T) {
	for _, tt := range []struct {
		points  [2]float64
		stop    *arena.Stop
		bracket []arena.Duel
		want    string
	}{
		{[2]float64{5, 3.5}, nil, nil, "new leads: 5 points, old has 3.5."},
		{
			[2]float64{5, 5},
			&arena.Stop{Kind: arena.StopPlayed, Text: "all 3 rounds are played"}, nil,
			"new is first: 5 points, old has 5 and is second by the tie-break.",
		},
		{[2]float64{5, 3}, nil, []arena.Duel{{Round: 1}, {Round: 2}}, "The knockout is in round 2."},
		{[2]float64{5, 3}, &arena.Stop{Kind: arena.StopPlayed, Text: "new won the final"}, []arena.Duel{{}}, "new won the final."},
	} {
		sum := tested()
		sum.Test, sum.Stop, sum.Bracket = nil, tt.stop, tt.bracket
		sum.Standings = []arena.Standing{{Engine: "new", Points: tt.points[0]}, {Engine: "old", Points: tt.points[1]}}
		claim, figures := report(t, sum).Answer()
		if got := claim + figures; got != tt.want {
			t.Errorf("%v: %s, want %s", tt.points, got, tt.want)
		}
	}
}
