package santorini

import (
	"testing"

	"thera/engine/santorini/rules"
)

// TestAllGodsMeet checks that [all] is every allowed pair in both seats, and that
// start: empty begins with an empty board.
func TestAllGodsMeet(t *testing.T) {
	g, problems := New().With(nil, &Openings{Gods: GodOpenings{List: []string{"all"}, Matchups: "all", Start: "empty"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	want := 0
	for _, a := range rules.Played() {
		for _, b := range rules.Played() {
			if rules.Banned([2]rules.God{a, b}) == nil {
				want++
			}
		}
	}
	if g.Starts() != want || want < 2500 {
		t.Errorf("%d match-ups, want %d", g.Starts(), want)
	}
	pos, err := g.Start(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if p, _ := rules.Unbox(pos); !p.Placing() {
		t.Errorf("%s is no empty board", pos)
	}
	if _, problems = New().With(nil, &Openings{Gods: GodOpenings{List: []string{"all", "pan"}}}); len(problems) != 1 {
		t.Errorf("all with another god: %v", problems)
	}
}
