package report

import (
	"fmt"
	"strings"
	"testing"

	"thera/arena"
	"thera/engine/gametest"
)

// What a run says of its engines: by the bounds of a difference, by its test and by its standings.
func TestWhoIsBetter(t *testing.T) {
	var said strings.Builder
	for _, pairs := range [][5]int{{5, 10, 30, 40, 15}, {15, 40, 30, 10, 5}, {10, 20, 40, 22, 10}, {10, 22, 40, 20, 10}} {
		games := [3]int{}
		for class, n := range pairs { // as wins and losses of a
			games[0], games[2] = games[0]+class*n/2, games[2]+(4-class)*n/2
		}
		plan := arena.Plan{Engines: []arena.EngineSpec{{Name: "a"}, {Name: "b"}}, Format: arena.Format{Name: "round-robin", Pairs: true}}
		sum := &arena.Summary{Run: arena.RunInfo{Name: "r", Plan: plan}, Rows: []arena.Row{row("a", "b", 0, "", "", games, pairs)}}
		c, err := Compare(report(t, sum).Summary, "a", "b")
		gametest.OK(t, err)
		fmt.Fprintf(&said, "pairs %v: %s: %s\n", pairs, c.Verdict, c.Sentence)
	}
	for _, decision := range []string{"H1", "H0", "continue"} {
		for _, elo0 := range []float64{0, -10} {
			sum := tested()
			sum.Test.Elo0, sum.Test.Elo1, sum.Test.Decision = elo0, elo0+10, decision
			claim, _ := report(t, sum).Answer()
			fmt.Fprintf(&said, "test from %g to %g, %s: %s\n", elo0, elo0+10, decision, claim)
		}
	}
	for _, second := range []float64{3.5, 5} {
		for _, stop := range []*arena.Stop{nil, {Kind: arena.StopPlayed, Text: "all 3 rounds are played"}, {Kind: arena.StopPlayed, Text: "new won the final"}} {
			sum := tested()
			sum.Test, sum.Stop = nil, stop
			if stop != nil && strings.Contains(stop.Text, "final") {
				sum.Bracket = []arena.Duel{{}}
			}
			sum.Standings = []arena.Standing{{Engine: "new", Points: 5}, {Engine: "old", Points: second}}
			claim, figures := report(t, sum).Answer()
			fmt.Fprintf(&said, "standings 5 to %g: %s%s\n", second, claim, figures)
		}
	}
	sum := tested()
	sum.Test, sum.Bracket = nil, []arena.Duel{{Round: 1}, {Round: 2}}
	sum.Standings = []arena.Standing{{Engine: "new", Points: 5}, {Engine: "old", Points: 3}}
	claim, figures := report(t, sum).Answer()
	fmt.Fprintf(&said, "a knockout in its second round: %s%s\n", claim, figures)
	golden(t, "better.txt", []byte(said.String()))
}
