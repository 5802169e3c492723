package report

import (
	"fmt"

	"thera/arena"
)

// Placing is an engine's place in a format with an order of its own (Swiss,
// knockout).
type Placing struct {
	Place int `json:"place"`
	arena.Standing
}

func (r *Report) standingsTable() *Table {
	t := &Table{
		Name: StandingsTable, Title: "Standings",
		Columns: []Column{
			{Head: "Place", Name: "place"},
			{Head: "Engine", Name: "engine", Left: true},
			{Head: "Points", Name: "points"},
			{Head: "Wins", Name: "wins"},
			{Head: "Buchholz", Name: "buchholz", Mute: r.Format != "swiss"},
			{Head: "Remark", Name: "remark", Left: true},
		},
	}
	for _, p := range r.Standings {
		t.Rows = append(t.Rows, []Cell{
			count(p.Place), text(p.Engine), text(fmt.Sprintf("%g", p.Points)), count(p.Wins), text(fmt.Sprintf("%g", p.Buchholz)), text(p.Note),
		})
	}
	return t
}
