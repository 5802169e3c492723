package report

import (
	"errors"
	"strings"
	"testing"

	"thera/arena"
	"thera/engine/gametest"
)

// One declaration gives a column its head, name and cells in every format, and
// does not change the other columns.
func TestAColumnIsOneDeclaration(t *testing.T) {
	r := report(t, &arena.Summary{
		Run:  arena.RunInfo{Plan: arena.Plan{Engines: []arena.EngineSpec{{Name: "a"}, {Name: "b"}}}},
		Rows: []arena.Row{row("a", "b", 0, "", "", [3]int{2, 0, 2}, [5]int{0, 0, 2, 0, 0})},
	})
	more := func(l *line, s *arena.EngineRow) {
		rankingLine(l, s)
		l.count("Again", "games_again", s.Games)
		l.word("Secret", "secret", "x").only(false)
	}
	for form, added := range map[Format][]string{
		Terminal: {"  Again", "      4"}, Markdown: {" Again |", "     4 |"}, CSV: {",games_again,secret", ",4,x"},
	} {
		var was, is strings.Builder
		gametest.OK(t, errors.Join(r.ranking().Write(&was, form), tableOf("Ranking", r.Engines, more).Write(&is, form)))
		rest := is.String()
		for _, text := range added {
			if !strings.Contains(rest, text+"\n") {
				t.Errorf("%s lacks %q:\n%s", form, text, rest)
			}
			rest = strings.ReplaceAll(rest, text+"\n", "\n")
		}
		if form != Markdown && rest != was.String() { // Markdown has a line below the heads
			t.Errorf("%s: other columns changed:\n%s\n%s", form, was.String(), rest)
		}
	}
}
