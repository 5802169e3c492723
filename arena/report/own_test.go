package report

import (
	"testing"

	"thera/arena"
)

// TestOwnPoints checks that a game's own points, such as PyRat's cheese, are
// shown as a share and a margin per game from each engine's view, and that
// other games have no such columns.
func TestOwnPoints(t *testing.T) {
	row := row("a", "b", 0, "", "", [3]int{2, 0, 2}, [5]int{0, 0, 2, 0, 0})
	row.Points = [2]float64{60.5, 39.5}
	r := report(t, &arena.Summary{Engines: []arena.EngineSpec{{Name: "a"}, {Name: "b"}}, Rows: []arena.Row{row}})
	for name, want := range map[string][2]arena.Own{
		"pairings": {{Share: 0.605, Margin: 5.25}},
		"ranking":  {{Share: 0.605, Margin: 5.25}, {Share: 0.395, Margin: -5.25}},
	} {
		table, err := r.Table(name)
		if err != nil {
			t.Fatal(err)
		}
		if last := table.columns[len(table.columns)-1]; last.Name != "points_margin" {
			t.Errorf("%s ends with column %+v", name, last)
		}
		for i := range table.Rows {
			got := r.Pairings[0].Own
			if name == "ranking" {
				got = r.Engines[i].Own
			}
			if got == nil || *got != want[i] {
				t.Errorf("%s, row %d: %+v, want %+v", name, i, got, want[i])
			}
		}
	}
	plain := report(t, quickstart())
	table, err := plain.Table("pairings")
	if err != nil {
		t.Fatal(err)
	}
	if last := table.columns[len(table.columns)-1]; plain.Engines[0].Own != nil || last.Name != "mean_plies" {
		t.Errorf("a game without points: %+v, %+v", plain.Engines[0].Own, last)
	}
}
