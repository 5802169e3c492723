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
		worded("Player", "player", func(r *row) string { return r.Name }),
		figure("Elo", "elo", 0, oneDigit, func(r *row) *float64 { return r.Elo }),
		figure("95 % from", "elo_lo", 0, oneDigit, func(r *row) *float64 { return r.EloLo }),
		figure("to", "elo_hi", 0, oneDigit, func(r *row) *float64 { return r.EloHi }),
		{head: "Games", name: "games", drop: dropGames, cell: func(r *row) Cell { return count(r.Games) }},
		{head: "Points", name: "points", drop: dropGames + 1, cell: func(r *row) Cell { return text(fmt.Sprintf("%g", r.Points)) }},
		figure("Score", "score", 0, Percent, func(r *row) *float64 { return r.Score }),
	})
}

// Superiority is the probability that the player of a row is stronger than that of a
// column, the best player first.
func Superiority(r *rating.Ratings) *Table {
	var names []string
	at := map[string]int{}
	for _, i := range r.Ranking() {
		names = append(names, r.Players[i].Name)
		at[r.Players[i].Name] = i
	}
	return matrixOf("Probability to be the stronger (%)", names, func(row, col string) Cell {
		if p, ok := r.LOS(at[row], at[col]); ok {
			return number(&p, share)
		}
		return Cell{}
	})
}
