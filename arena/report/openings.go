package report

import (
	"thera/arena"
	"thera/arena/rating"
)

// OpeningScore is the score of the first seat from one start position. It counts
// all stored games, even those in no other figure, as independent.
type OpeningScore struct {
	Start string `json:"start"`
	Score
	MeanPlies *float64 `json:"mean_plies"`
}

// AddOpenings adds the games of each opening to the report.
func (r *Report) AddOpenings(rows []arena.OpeningRow) {
	r.Openings = []OpeningScore{}
	for _, row := range rows {
		c := rating.Singly(wdl(row.Games))
		s := scoreOf(c, c.Estimate())
		r.Openings = append(r.Openings, OpeningScore{Start: row.Start, Score: s, MeanPlies: ratio(float64(row.Plies), float64(s.Games))})
	}
}

func (r *Report) openingTable() *Table {
	score := func(o *OpeningScore) *Score { return &o.Score }
	t := tableOf("Openings (score of the first seat)", r.Openings,
		gamesAndScore(score),
		scoreError(score),
		wdlColumns("", func(o *OpeningScore) rating.WDL { return o.WDL }),
		[]column[OpeningScore]{
			{head: "Plies", name: "mean_plies", drop: 4, cell: func(o *OpeningScore) Cell { return number(o.MeanPlies, oneDigit) }},
			{head: "Start", name: "start", kind: folded, cell: func(o *OpeningScore) Cell { return text(o.Start) }},
		})
	t.Notes = []string{"all stored games, taken as independent"}
	return t
}
