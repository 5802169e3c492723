package report

import (
	"fmt"

	"thera/arena"
)

const wideMatrix = 10 // with more roles, cells have no bounds

// matrixTable has a row and a column for each role, ordered by rank. In CSV it
// is a list of cells instead.
func (r *Report) matrixTable() *Table {
	at := map[[2]string]*arena.MatrixCell{}
	for i := range r.Matrix {
		at[[2]string{r.Matrix[i].Row, r.Matrix[i].Col}] = &r.Matrix[i]
	}
	var names []string
	for i := range r.Roles {
		names = append(names, r.Roles[i].Name)
	}
	wide := len(names) <= wideMatrix
	t := matrixOf("Score of the row against the column, %", names, func(row, col string) Cell {
		c := at[[2]string{row, col}]
		switch {
		case c == nil || c.Score == nil:
			return Cell{}
		case wide:
			return text(fmt.Sprintf("%.0f (%s)", 100**c.Score, wholeBounds(c.Lo, c.Hi)))
		}
		return text(fmt.Sprintf("%.0f", 100**c.Score))
	})
	t.Heads[0].Name, t.Long = "role", r.matrixRows()
	t.Notes = []string{"the diagonal is the first seat's score when both have the role"}
	if wide {
		t.Title += " (95 % bounds)"
		return t
	}
	t.Notes = append(t.Notes, "columns are numbered by rank; bounds: thera results --table matrix --format csv")
	for i, name := range names {
		t.Heads[i+1].Head, t.Rows[i][0].Text = fmt.Sprint(i+1), fmt.Sprintf("%d %s", i+1, name)
	}
	return t
}

// matrixRows returns the matrix as a list of cells.
func (r *Report) matrixRows() *Table {
	return tableOf("", r.Matrix, func(l *line, c *arena.MatrixCell) {
		l.word("", "row", c.Row)
		l.word("", "col", c.Col)
		l.count("", "games", c.Games)
		l.hidden("score", c.Score)
		l.hidden("lo", c.Lo)
		l.hidden("hi", c.Hi)
		l.hidden("first_score", c.FirstScore)
		l.hidden("mean_plies", c.MeanPlies)
	})
}
