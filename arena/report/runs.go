package report

import "thera/arena"

// RunTable lists the runs of a database.
func RunTable(runs []arena.RunInfo) *Table {
	t := tableOf("", runs, func(l *line, r *arena.RunInfo) {
		l.count("#", "", r.ID)
		l.long("Run", "", r.Name)
		l.word("Game", "", r.Game).Drop = 1
		l.word("Format", "", r.Plan.Format.Name).Drop = 2
		l.count("Games", "", r.Games)
		l.word("State", "", r.State)
		l.word("Last change", "", r.Changed.Local().Format("2006-01-02 15:04"))
	})
	if len(runs) == 0 {
		t.Notes = []string{"no runs yet"}
	}
	return t
}
