package report

import (
	"cmp"
	"fmt"

	"thera/arena"
	"thera/arena/rating"
)

// line is a row of a table as it is made: its columns from left to right.
type line []column

// column is the heading of a column and its cell in one row.
type column struct {
	Heading
	Cell
}

// tableOf makes a table. of adds the columns of one row, which are the same for each.
func tableOf[T any](title string, rows []T, of func(*line, *T)) *Table {
	t := &Table{Title: title, Rows: make([][]Cell, len(rows))}
	for i := range max(len(rows), 1) { // a table without rows still has headings
		var l line
		if i < len(rows) {
			of(&l, &rows[i])
		} else {
			of(&l, new(T))
		}
		for c := range l {
			if i == 0 {
				t.Heads = append(t.Heads, l[c].Heading)
			}
			h := &t.Heads[c]
			h.Mute, h.Name = h.Mute && l[c].Mute, cmp.Or(h.Name, l[c].Name)
			if i < len(rows) {
				t.Rows[i] = append(t.Rows[i], l[c].Cell)
			}
		}
	}
	return t
}

// only hides the column from people unless shown is true in some row.
func (h *Heading) only(shown bool) { h.Mute = !shown }

func (l *line) add(h Heading, c Cell) *Heading {
	*l = append(*l, column{h, c})
	return &(*l)[len(*l)-1].Heading
}

// count adds a number that has no unit.
func (l *line) count(head, name string, n any) *Heading {
	return l.add(Heading{Head: head, Name: name}, text(fmt.Sprint(n)))
}

// figure adds a value that may be undefined.
func (l *line) figure(head, name string, x *float64, show func(*float64) string) *Heading {
	return l.add(Heading{Head: head, Name: name}, number(x, show))
}

// word adds a word or a name.
func (l *line) word(head, name, s string) *Heading {
	return l.add(Heading{Head: head, Name: name, Left: true}, text(s))
}

// long adds a text that may continue on further lines.
func (l *line) long(head, name, s string) *Heading {
	return l.add(Heading{Head: head, Name: name, Left: true, Wrap: true}, text(s))
}

// hidden adds a value that only CSV has.
func (l *line) hidden(name string, x *float64) {
	l.add(Heading{Name: name, Mute: true}, Cell{"", raw(x)})
}

// dropGames is where the columns that many tables have go in the order of Drop:
// those that only add to them have a higher number.
const dropGames = 2

// score adds the number of games and the score.
func (l *line) score(s *arena.Score) {
	l.count("Games", "games", s.Games).Drop = dropGames
	l.figure("Score", "score", s.Score, Percent)
}

// bounds adds the bounds of a cell's score.
func (l *line) bounds(s *arena.Score) {
	l.add(Heading{Head: "95 %"}, text(wholeBounds(s.BoundLo, s.BoundHi)))
	l.hidden("bound_lo", s.BoundLo)
	l.hidden("bound_hi", s.BoundHi)
}

// wdl adds wins, draws and losses: one column for people and three in CSV.
func (l *line) wdl(c rating.WDL) {
	l.add(Heading{Head: "W-D-L", Drop: dropGames + 1}, text(record(c)))
	l.count("", "wins", c.Wins).Mute = true
	l.count("", "draws", c.Draws).Mute = true
	l.count("", "losses", c.Losses).Mute = true
}

// elo adds Elo and its bounds. People see the bounds as an error bar.
func (l *line) elo(s *arena.Score, bar func(*arena.Score) string) {
	l.figure("Elo", "elo", s.Elo, signed)
	l.add(Heading{Head: "± 95 %"}, text(bar(s)))
	l.hidden("elo_lo", s.EloLo)
	l.hidden("elo_hi", s.EloHi)
}

// points adds the game's points. A table has no such columns if no row has points.
func (l *line) points(p *arena.Points) {
	share, margin := Heading{Head: "Points", Drop: dropGames + 2}, Heading{Head: "Margin", Drop: dropGames + 3}
	if p == nil {
		share.Mute, margin.Mute = true, true
		l.add(share, number(nil, Percent))
		l.add(margin, number(nil, signed))
		return
	}
	share.Name, margin.Name = "points_share", "points_margin"
	l.add(share, number(&p.Share, Percent))
	l.add(margin, number(&p.Margin, signed))
}

// number returns the cell of a value that may be undefined.
func number(x *float64, show func(*float64) string) Cell { return Cell{show(x), raw(x)} }

// matrixOf makes a table with a row and a column for each name.
func matrixOf(title string, names []string, cell func(row, col string) Cell) *Table {
	t := &Table{Title: title, Heads: []Heading{{Name: "engine", Left: true}}}
	for i, name := range names {
		t.Heads = append(t.Heads, Heading{Head: name, Name: name, Drop: i + 1})
		row := []Cell{text(name)}
		for _, other := range names {
			row = append(row, cell(name, other))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
