package santorini

import "testing"

// TestAllGodsMeet: [all] is every god, each pair in both seats but for the
// banned ones, and from an empty board where that is asked for.
func TestAllGodsMeet(t *testing.T) {
	g, problems := New().With(nil, &Openings{Gods: GodOpenings{List: []string{"all"}, Matchups: "all", Start: "empty"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	want := 0
	for a := range godCount {
		for b := range godCount {
			if banned([2]God{a, b}) == nil {
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
	if p, _ := unbox(pos); !p.placing() {
		t.Errorf("%s is no empty board", pos)
	}
	if _, problems = New().With(nil, &Openings{Gods: GodOpenings{List: []string{"all", "pan"}}}); len(problems) != 1 {
		t.Errorf("all beside a god: %v", problems)
	}
}
