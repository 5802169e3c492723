package report

import "thera/arena"

// RunTable lists the runs of a database.
func RunTable(runs []arena.RunInfo) *Table {
	t := tableOf("", runs, []column[arena.RunInfo]{
		{head: "#", cell: func(r *arena.RunInfo) Cell { return count(r.ID) }},
		{head: "Run", kind: folded, cell: func(r *arena.RunInfo) Cell { return text(r.Name) }},
		{head: "Game", kind: words, drop: 1, cell: func(r *arena.RunInfo) Cell { return text(r.Game) }},
		{head: "Format", kind: words, drop: 2, cell: func(r *arena.RunInfo) Cell { return text(r.Plan.Format.Name) }},
		{head: "Games", cell: func(r *arena.RunInfo) Cell { return count(r.Games) }},
		worded("State", "", func(r *arena.RunInfo) string { return r.State }),
		{head: "Last change", kind: words, cell: func(r *arena.RunInfo) Cell {
			return text(r.Changed.Local().Format("2006-01-02 15:04"))
		}},
	})
	if len(runs) == 0 {
		t.Notes = []string{"no runs yet"}
	}
	return t
}
