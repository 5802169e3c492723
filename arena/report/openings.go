package report

import (
	"thera/arena"
	"thera/arena/rating"
)

func (r *Report) openingTable() *Table {
	score := func(o *arena.OpeningScore) *arena.Score { return &o.Score }
	t := tableOf("Openings (score of the first seat)", r.Openings,
		gamesAndScore(score),
		scoreBounds(score),
		wdlColumns(func(o *arena.OpeningScore) rating.WDL { return o.WDL }),
		[]column[arena.OpeningScore]{
			figure("Plies", "mean_plies", 4, oneDigit, func(o *arena.OpeningScore) *float64 { return o.MeanPlies }),
			{head: "Start", name: "start", kind: folded, cell: func(o *arena.OpeningScore) Cell { return text(o.Start) }},
		})
	t.Notes = []string{"all stored games, taken as independent"}
	return t
}
