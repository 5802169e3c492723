package report

import (
	"fmt"
	"strings"

	"thera/arena"
)

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
