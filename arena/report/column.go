package report

import (
	"thera/arena"
	"thera/arena/rating"
)

// column is one column of a table with rows of type T.
type column[T any] struct {
	head  string // for people
	name  string // in CSV; "" leaves the column out
	kind  columnKind
	drop  int // which columns go first where a line is too long: the highest; 0 stays
	cell  func(*T) Cell
	shown func(rows []T) bool // whether to show it to people; nil: always
}

// figure is a column of values that may be undefined.
func figure[T any](head, name string, drop int, show func(*float64) string, of func(*T) *float64) column[T] {
	return column[T]{head: head, name: name, drop: drop, cell: func(r *T) Cell { return number(of(r), show) }}
}

// worded is a column of words.
func worded[T any](head, name string, of func(*T) string) column[T] {
	return column[T]{head: head, name: name, kind: words, cell: func(r *T) Cell { return text(of(r)) }}
}

// hidden is a column of values in CSV only.
func hidden[T any](name string, of func(*T) *float64) column[T] {
	return column[T]{name: name, kind: csvOnly, cell: func(r *T) Cell { return bare(of(r)) }}
}

// only shows the column to people where has holds for some row.
func (c column[T]) only(has func(*T) bool) column[T] {
	c.shown = anyRow(has)
	return c
}

// columnKind is how a column is shown.
type columnKind int

const (
	figures columnKind = iota // right-aligned
	words                     // left-aligned
	folded                    // left-aligned, a long text that may continue on further lines
	csvOnly                   // in CSV only
)

// dropGames is where the columns that many tables have go in the order of drop:
// those that only add to them have a higher number.
const dropGames = 2

// tableOf makes a table of rows.
func tableOf[T any](title string, rows []T, columns ...[]column[T]) *Table {
	t := &Table{Title: title, Rows: make([][]Cell, len(rows))}
	for _, group := range columns {
		for _, c := range group {
			mute := c.kind == csvOnly || c.shown != nil && !c.shown(rows)
			fold := c.kind == folded
			head := Heading{Head: c.head, Name: c.name, Left: fold || c.kind == words, Fold: fold, Mute: mute, Drop: c.drop}
			t.Heads = append(t.Heads, head)
			for i := range rows {
				t.Rows[i] = append(t.Rows[i], c.cell(&rows[i]))
			}
		}
	}
	return t
}

// anyRow returns a condition for a column: has holds for some row.
func anyRow[T any](has func(*T) bool) func([]T) bool {
	return func(rows []T) bool {
		for i := range rows {
			if has(&rows[i]) {
				return true
			}
		}
		return false
	}
}

// gamesAndScore returns the columns for the number of games and the score.
func gamesAndScore[T any](of func(*T) *arena.Score) []column[T] {
	return []column[T]{
		{head: "Games", name: "games", drop: dropGames, cell: func(r *T) Cell { return count(of(r).Games) }},
		figure("Score", "score", 0, Percent, func(r *T) *float64 { return of(r).Score }),
	}
}

// scoreBounds returns the columns for the bounds of a cell's score.
func scoreBounds[T any](of func(*T) *arena.Score) []column[T] {
	return []column[T]{
		{head: "95 %", cell: func(r *T) Cell { return text(wholeBounds(of(r).BoundLo, of(r).BoundHi)) }},
		hidden("bound_lo", func(r *T) *float64 { return of(r).BoundLo }),
		hidden("bound_hi", func(r *T) *float64 { return of(r).BoundHi }),
	}
}

// wdlColumns returns the columns for wins, draws and losses: one for people and
// three in CSV.
func wdlColumns[T any](of func(*T) rating.WDL) []column[T] {
	return []column[T]{
		{head: "W-D-L", drop: dropGames + 1, cell: func(r *T) Cell { return text(record(of(r))) }},
		{name: "wins", kind: csvOnly, cell: func(r *T) Cell { return count(of(r).Wins) }},
		{name: "draws", kind: csvOnly, cell: func(r *T) Cell { return count(of(r).Draws) }},
		{name: "losses", kind: csvOnly, cell: func(r *T) Cell { return count(of(r).Losses) }},
	}
}

// eloColumns returns the columns for Elo and its bounds. People see the bounds as
// an error bar.
func eloColumns[T any](of func(*T) *arena.Score, bar func(*arena.Score) string) []column[T] {
	return []column[T]{
		figure("Elo", "elo", 0, Signed, func(r *T) *float64 { return of(r).Elo }),
		{head: "± 95 %", cell: func(r *T) Cell { return text(bar(of(r))) }},
		hidden("elo_lo", func(r *T) *float64 { return of(r).EloLo }),
		hidden("elo_hi", func(r *T) *float64 { return of(r).EloHi }),
	}
}

// ownColumns returns the columns for the game's own points, if it has any.
func ownColumns[T any](rows []T, of func(*T) *arena.Own) []column[T] {
	if !anyRow(func(r *T) bool { return of(r) != nil })(rows) {
		return nil
	}
	return []column[T]{
		{head: "Points", name: "points_share", drop: dropGames + 2, cell: func(r *T) Cell {
			if own := of(r); own != nil {
				return number(&own.Share, Percent)
			}
			return number(nil, Percent)
		}},
		{head: "Margin", name: "points_margin", drop: dropGames + 3, cell: func(r *T) Cell {
			if own := of(r); own != nil {
				return number(&own.Margin, Signed)
			}
			return number(nil, Signed)
		}},
	}
}

// number returns the cell of a value that may be undefined.
func number(x *float64, show func(*float64) string) Cell { return Cell{show(x), raw(x)} }

// bare returns a cell that only CSV shows.
func bare(x *float64) Cell { return Cell{"", raw(x)} }

// oneDigit formats a value with one decimal.
func oneDigit(x *float64) string { return Fixed(x, 1) }

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
