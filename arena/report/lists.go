package report

import (
	"cmp"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/rating"
	"thera/arena/remote/keys"
	"thera/engine/game"
)

// Catalog lists the roles of a game, each with what it can do.
func Catalog(roles []game.Role) *Table {
	return tableOf("", roles, func(l *line, r *game.Role) {
		bans := arena.Map(r.Bans, func(b game.Ban) string { return b.With })
		l.word("God", "", r.Name)
		l.long("Power", "", cmp.Or(r.Power, none))
		l.long("State", "", cmp.Or(r.State, none)).Drop = 2
		l.long("Not against", "", cmp.Or(strings.Join(bans, ", "), none)).Drop = 1
	})
}

// KeyTable lists the keys of a host's workers.
func KeyTable(list []keys.Key) *Table {
	t := tableOf("", list, func(l *line, k *keys.Key) {
		l.word("Worker", "", k.Name)
		l.word("Invited", "", k.Invited.Local().Format(time.DateOnly))
		l.word("Public key", "", k.Public).Drop = 1
	})
	if len(list) == 0 {
		t.Notes = []string{"no worker has a key"}
	}
	return t
}

// RunTable lists the runs of a database.
func RunTable(runs []arena.RunInfo) *Table {
	t := tableOf("", runs, func(l *line, r *arena.RunInfo) {
		l.count("#", "", r.ID)
		l.long("Run", "", r.Name)
		l.word("Game", "", r.Game).Drop = 1
		l.word("Format", "", r.Plan.Format.Name).Drop = 2
		l.count("Games", "", r.Games)
		l.word("State", "", r.State)
		l.word("Last change", "", r.Changed.Local().Format("2006-01-02 15:04"))
	})
	if len(runs) == 0 {
		t.Notes = []string{"no runs yet"}
	}
	return t
}

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
