package report

import (
	"fmt"

	"thera/arena"
)

// Placing is an engine's place in a format with its own ranking (Swiss,
// knockout).
type Placing struct {
	Place int `json:"place"`
	arena.Standing
}

func (r *Report) standingsTable() *Table {
	t := tableOf("Standings", r.Standings, []column[Placing]{
		{head: "Place", name: "place", cell: func(p *Placing) Cell { return count(p.Place) }},
		worded("Engine", "engine", func(p *Placing) string { return p.Engine }),
		{head: "Points", name: "points", cell: func(p *Placing) Cell { return text(fmt.Sprintf("%g", p.Points)) }},
		{head: "Wins", name: "wins", cell: func(p *Placing) Cell { return count(p.Wins) }},
		{
			head: "Buchholz", name: "buchholz", drop: 1, cell: func(p *Placing) Cell { return text(fmt.Sprintf("%g", p.Buchholz)) },
			shown: anyRow(func(p *Placing) bool { return p.Buchholz != 0 }), // only in a Swiss
		},
		{head: "Remark", name: "remark", kind: folded, cell: func(p *Placing) Cell { return text(p.Note) }},
	})
	t.Notes = r.noRank()
	return t
}
