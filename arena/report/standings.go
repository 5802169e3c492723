package report

import (
	"thera/arena"
)

func (r *Report) standingsTable() *Table {
	t := tableOf("Standings", r.Standings, func(l *line, p *arena.Standing) {
		l.count("Place", "place", p.Place)
		l.word("Engine", "engine", p.Engine)
		l.count("Points", "points", p.Points)
		l.count("Wins", "wins", p.Wins)
		buchholz := l.count("Buchholz", "buchholz", p.Buchholz)
		buchholz.Drop = 1
		buchholz.only(p.Buchholz != 0) // a Swiss has it
		l.long("Remark", "remark", p.Note)
	})
	t.Notes = r.noRank()
	return t
}
