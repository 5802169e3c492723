package report

import (
	"thera/arena"
	"thera/arena/rating"
)

// Opening is a start position's record, from the first seat's view. All stored
// games from it are counted, also those in no other figure, and taken as
// independent.
type Opening struct {
	Start string `json:"start"`
	Score
	MeanPlies *float64 `json:"mean_plies"`
}

// AddOpenings adds the games of each opening to the report.
func (r *Report) AddOpenings(rows []arena.OpeningRow) {
	r.Openings = []Opening{}
	for _, row := range rows {
		c := rating.Singly(wdl(row.Games))
		s := scoreOf(c, c.Summary())
		r.Openings = append(r.Openings, Opening{Start: row.Start, Score: s, MeanPlies: ratio(float64(row.Plies), float64(s.Games))})
	}
}

func (r *Report) openingTable() *Table {
	t := &Table{
		Name: OpeningTable, Title: "Openings (score of the first seat)",
		Columns: []Column{
			{Head: "Games", Name: "games"},
			{Head: "Score", Name: "score"},
			{Head: "± 95 %", Name: "score_error"},
			{Head: "W-D-L"},
			{Name: "wins", Mute: true},
			{Name: "draws", Mute: true},
			{Name: "losses", Mute: true},
			{Head: "Plies", Name: "mean_plies"},
			{Head: "Start", Name: "start", Left: true},
		},
		Notes: []string{"all stored games, taken as independent"},
	}
	for i := range r.Openings {
		o := &r.Openings[i]
		t.Rows = append(t.Rows, []Cell{
			count(o.Games),
			{percent(o.Score.Score), raw(o.Score.Score)},
			{scoreBar(o.ScoreError), raw(o.ScoreError)},
			text(record(o.WDL)),
			count(o.Wins), count(o.Draws), count(o.Losses),
			{fixed(o.MeanPlies, 1), raw(o.MeanPlies)},
			text(o.Start),
		})
	}
	return t
}
