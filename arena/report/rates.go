package report

import (
	"fmt"

	"thera/arena/rating"
)

// Rates is the table of a joint rating, the best player first.
func Rates(r *rating.Ratings) *Table {
	type row struct {
		place int
		*rating.Rating
	}
	var rows []row
	for place, i := range r.Ranking() {
		rows = append(rows, row{place + 1, &r.Players[i]})
	}
	return tableOf("", rows, []column[row]{
		{head: "#", name: "rank", cell: func(r *row) Cell { return count(r.place) }},
		{head: "Player", name: "player", kind: words, cell: func(r *row) Cell { return text(r.Name) }},
		{head: "Elo", name: "elo", cell: func(r *row) Cell { return number(r.Elo, oneDigit) }},
		{head: "95 % from", name: "elo_lo", cell: func(r *row) Cell { return number(r.EloLo, oneDigit) }},
		{head: "to", name: "elo_hi", cell: func(r *row) Cell { return number(r.EloHi, oneDigit) }},
		{head: "Games", name: "games", drop: dropGames, cell: func(r *row) Cell { return count(r.Games) }},
		{head: "Points", name: "points", drop: dropGames + 1, cell: func(r *row) Cell { return text(fmt.Sprintf("%g", r.Points)) }},
		{head: "Score", name: "score", cell: func(r *row) Cell { return number(r.Score, Percent) }},
	})
}

// Superiority is the likelihood, in percent, that the player of a row is better than
// that of a column. Columns have the places of Rates.
func Superiority(r *rating.Ratings) *Table {
	order := r.Ranking()
	t := &Table{Title: "Likelihood of superiority, row over column, in percent", columns: []Heading{{Name: "player", Left: true}}, matrix: true}
	for place, i := range order {
		name := r.Players[i].Name
		t.columns = append(t.columns, Heading{Head: fmt.Sprint(place + 1), Name: name})
		row := []Cell{{fmt.Sprintf("%d %s", place+1, name), name}}
		for _, j := range order {
			var x *float64
			if los, ok := r.LOS(i, j); ok {
				x = &los
			}
			row = append(row, number(x, share))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
