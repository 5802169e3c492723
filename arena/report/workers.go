package report

import (
	"cmp"
	"fmt"
	"strings"

	"thera/arena"
	"thera/arena/tournament"
)

func (r *Report) workerTable() *Table {
	t := tableOf("Workers", r.Workers, func(l *line, w *arena.WorkerRow) {
		l.add(Heading{Head: "Worker", Name: "worker", Left: true}, Cell{cmp.Or(w.Worker, "this machine"), w.Worker})
		l.count("Games", "games", w.Games)
		l.count("Pairs", "pairs", w.Pairs).Drop = 3
		l.count("", "moves", w.Moves).Mute = true
		l.figure("Moves/s", "moves_per_second", w.MovesPerSecond, oneDigit).Drop = 5
		l.count("Faults", "faults", w.Faults).Drop = 1
		l.count("Void", "voided", w.Voided).Drop = 2
		l.count("Refused", "refused", w.Refused)
		l.count("Aside", "set_aside", w.Aside).only(w.Aside > 0)
		l.count("Audited", "audited", w.Audited)
		l.count("differ", "differ", w.Differ)
		l.count("undecided", "undecided", w.Undecided).only(w.Undecided > 0)
		l.figure("p", "p", w.P, chance)
		var found []string
		if w.Flagged {
			found = append(found, "unlike the others")
		}
		if w.Expelled {
			found = append(found, "expelled")
		}
		l.word("", "finding", strings.Join(found, ", ")).only(len(found) > 0)
	})
	t.Notes = []string{fmt.Sprintf("p: how likely results like its own, or odder ones, are if all workers' games are alike; of workers with %d pairs. "+
		"Below %g divided by the number of these workers it says that they are not", tournament.LeastPairs, tournament.AlarmLevel)}
	return t
}

// chance formats a small probability.
func chance(p *float64) string {
	if p != nil && *p < 0.0001 {
		return fmt.Sprintf("%.0e", *p)
	}
	return Fixed(p, 4)
}
