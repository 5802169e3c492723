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
