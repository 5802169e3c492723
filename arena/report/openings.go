package report

import (
	"thera/arena"
)

func (r *Report) openingTable() *Table {
	t := tableOf("Openings (score of the first seat)", r.Openings, func(l *line, o *arena.OpeningScore) {
		l.score(&o.Score)
		l.bounds(&o.Score)
		l.wdl(o.WDL)
		l.figure("Plies", "mean_plies", o.MeanPlies, oneDigit).Drop = 4
		l.long("Start", "start", o.Start)
	})
	t.Notes = []string{"all stored games, taken as independent"}
	return t
}
