package report

import (
	"thera/arena/rating"
)

// Rates is the table of a joint rating, the best player first.
func Rates(r *rating.Ratings) *Table {
	type row struct {
		rating.Rating
		place int
	}
	var rows []row
	for place, i := range r.Ranking() {
		rows = append(rows, row{r.Players[i], place + 1})
	}
	return tableOf("", rows, func(l *line, r *row) {
		l.count("#", "rank", r.place)
		l.word("Player", "player", r.Name)
		l.figure("Elo", "elo", r.Elo, oneDigit)
		l.figure("95 % from", "elo_lo", r.EloLo, oneDigit)
		l.figure("to", "elo_hi", r.EloHi, oneDigit)
		l.count("Games", "games", r.Games).Drop = dropGames
		l.count("Points", "points", r.Points).Drop = dropGames + 1
		l.figure("Score", "score", r.Score, Percent)
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
