package report

import (
	"cmp"
	"fmt"

	"thera/arena"
	"thera/arena/tournament"
)

func (r *Report) workerTable() *Table {
	t := tableOf("Workers", r.Workers, []column[arena.WorkerRow]{
		{head: "Worker", name: "worker", kind: words, cell: func(w *arena.WorkerRow) Cell { return Cell{cmp.Or(w.Worker, "this machine"), w.Worker} }},
		{head: "Games", name: "games", cell: func(w *arena.WorkerRow) Cell { return count(w.Games) }},
		{head: "Pairs", name: "pairs", drop: 3, cell: func(w *arena.WorkerRow) Cell { return count(w.Pairs) }},
		{name: "moves", kind: csvOnly, cell: func(w *arena.WorkerRow) Cell { return count(w.Moves) }},
		figure("Moves/s", "moves_per_second", 5, oneDigit, func(w *arena.WorkerRow) *float64 { return w.MovesPerSecond }),
		{head: "Faults", name: "faults", drop: 1, cell: func(w *arena.WorkerRow) Cell { return count(w.Faults) }},
		{head: "Void", name: "voided", drop: 2, cell: func(w *arena.WorkerRow) Cell { return count(w.Voided) }},
		{head: "Refused", name: "refused", cell: func(w *arena.WorkerRow) Cell { return count(w.Refused) }},
		{
			head: "Aside", name: "set_aside", cell: func(w *arena.WorkerRow) Cell { return count(w.Aside) },
			shown: anyRow(func(w *arena.WorkerRow) bool { return w.Aside > 0 }),
		},
		{head: "Audited", name: "audited", cell: func(w *arena.WorkerRow) Cell { return count(w.Audited) }},
		{head: "differ", name: "differ", cell: func(w *arena.WorkerRow) Cell { return count(w.Differ) }},
		{
			head: "undecided", name: "undecided", cell: func(w *arena.WorkerRow) Cell { return count(w.Undecided) },
			shown: anyRow(func(w *arena.WorkerRow) bool { return w.Undecided > 0 }),
		},
		{head: "p", name: "p", cell: pCell},
		{head: "", name: "finding", kind: words, cell: func(w *arena.WorkerRow) Cell {
			switch {
			case w.Flagged && w.Expelled:
				return text("unlike the others, expelled")
			case w.Flagged:
				return text("unlike the others")
			case w.Expelled:
				return text("expelled")
			}
			return text("")
		}, shown: anyRow(func(w *arena.WorkerRow) bool { return w.Flagged || w.Expelled })},
	})
	t.Notes = []string{fmt.Sprintf("p: how likely results like its own, or odder ones, are if all workers' games are alike; of workers with %d pairs. "+
		"Below %g divided by the number of these workers it says that they are not", tournament.LeastPairs, tournament.AlarmLevel)}
	return t
}

func pCell(w *arena.WorkerRow) Cell {
	switch {
	case w.P == nil:
		return Cell{none, ""}
	case *w.P < 0.0001:
		return Cell{fmt.Sprintf("%.0e", *w.P), raw(w.P)}
	}
	return Cell{fmt.Sprintf("%.4f", *w.P), raw(w.P)}
}
