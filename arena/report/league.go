package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"thera/arena"
)

// Place says in a sentence how an engine did.
func (r *Report) Place(e *arena.EngineRow) string {
	text := fmt.Sprintf("%s is %d of %d: %g points of %s (%s)", e.Name, e.Rank, len(r.Engines),
		float64(e.Wins)+float64(e.Draws)/2, arena.Plural(e.Games, "game"), record(e.WDL))
	if e.Elo != nil {
		text += fmt.Sprintf(", %s Elo (95 %%: %s)", signed(e.Elo), ratedBar(&e.Score))
	}
	return Printable(text + ".")
}

// PairingsOf is the table of an engine's pairings.
func (r *Report) PairingsOf(engine string) *Table {
	t := r.pairingTable()
	a, b := t.column("engine_a"), t.column("engine_b")
	t.Rows = slices.DeleteFunc(t.Rows, func(row []Cell) bool { return row[a].Raw != engine && row[b].Raw != engine })
	return t.View()
}

// column is the place of a column by its name, which the table has.
func (t *Table) column(name string) int {
	return slices.IndexFunc(t.Heads, func(h Heading) bool { return h.Name == name })
}

// Command is a command line as a shell reads it, for people.
func Command(words []string) string { return Printable(shellquote.Join(words...)) }

// leagueTable has one row for each engine, with all that a league publishes of it.
func (r *Report) leagueTable() *Table {
	faults := map[string][]string{}
	for _, e := range r.Ends {
		if e.Source == arena.Faulted {
			faults[e.Engine] = append(faults[e.Engine], fmt.Sprintf("%d %s", e.Games, e.Reason))
		}
	}
	t := tableOf("League", r.Engines, func(l *line, e *arena.EngineRow) {
		l.count("Rank", "rank", e.Rank)
		l.word("Engine", "engine", e.Name)
		l.count("Points", "points", float64(e.Wins)+float64(e.Draws)/2)
		l.count("Games", "games", e.Games)
		l.wdl(e.WDL)
		l.elo(&e.Score, ratedBar)
		l.long("Faults", "faults", strings.Join(faults[e.Name], ", "))
		l.figure("Slowest ms", "slowest_ms", e.SlowestMs, oneDigit).Drop = 4
		l.word("Version", "version", fmt.Sprintf("%.8s", e.Binary)).Drop = 5
	})
	t.Notes = r.noRank()
	if both := faults[""]; len(both) > 0 {
		t.Notes = append(t.Notes, "of two engines at once: "+strings.Join(both, ", "))
	}
	return t
}
