package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
)

// One declaration gives a column its head, name and cells in every format, and
// does not change the other columns.
func TestAColumnIsOneDeclaration(t *testing.T) {
	r := report(t, &arena.Summary{
		Engines: []arena.EngineSpec{{Name: "a"}, {Name: "b"}},
		Rows:    []arena.Row{row("a", "b", 0, "", "", [3]int{2, 0, 2}, [5]int{0, 0, 2, 0, 0})},
	})
	more := []column[arena.EngineRow]{
		{head: "Again", name: "games_again", cell: func(s *arena.EngineRow) Cell { return count(s.Games) }},
		{head: "Secret", name: "secret", cell: func(*arena.EngineRow) Cell { return text("x") }, shown: func([]arena.EngineRow) bool { return false }},
	}
	added := append(rankingColumns(r.Engines), more)
	for _, form := range Formats() {
		var was, is strings.Builder
		if err := r.ranking().Write(&was, form); err != nil {
			t.Fatal(err)
		}
		if err := tableOf("Ranking", r.Engines, added...).Write(&is, form); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(is.String()), "\n")
		var got []string
		for _, line := range lines[len(lines)-2:] {
			got = append(got, strings.TrimRight(line, "| "))
		}
		head, end := "Again", "4"
		if form == CSV {
			head, end = "games_again,secret", "4,x"
		}
		if !strings.Contains(is.String(), head) || !strings.HasSuffix(got[0], end) || strings.Contains(is.String(), "Secret") {
			t.Errorf("%s:\n%s", form, is.String())
		}
		if form == CSV {
			cut := strings.NewReplacer(",games_again,secret", "", ",4,x", "").Replace(is.String())
			if diff := cmp.Diff(was.String(), cut); diff != "" {
				t.Errorf("other columns changed: %s", diff)
			}
		}
	}
}
