package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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
	return tableOf("", r.Matrix, []column[arena.MatrixCell]{
		{name: "row", cell: func(c *arena.MatrixCell) Cell { return text(c.Row) }},
		{name: "col", cell: func(c *arena.MatrixCell) Cell { return text(c.Col) }},
		{name: "games", cell: func(c *arena.MatrixCell) Cell { return count(c.Games) }},
		{name: "score", cell: func(c *arena.MatrixCell) Cell { return bare(c.Score) }},
		{name: "lo", cell: func(c *arena.MatrixCell) Cell { return bare(c.Lo) }},
		{name: "hi", cell: func(c *arena.MatrixCell) Cell { return bare(c.Hi) }},
		{name: "first_score", cell: func(c *arena.MatrixCell) Cell { return bare(c.FirstScore) }},
		{name: "mean_plies", cell: func(c *arena.MatrixCell) Cell { return bare(c.MeanPlies) }},
	})
}

// even is how far from 50 % the bounds of a balanced match-up may be.
const even = 0.1

// extremes returns the most one-sided and the most balanced match-ups of two
// roles. A match-up is one-sided if its bounds exclude 50 %, and these are
// ordered by the bound nearer to 50 %. It is balanced if both bounds are near
// 50 %, and these are ordered by the farther bound.
func (r *Report) extremes(most int) (oneSided, balanced []arena.MatrixCell) {
	far := func(c arena.MatrixCell) float64 { return math.Max(*c.Hi-0.5, 0.5-*c.Lo) }
	for _, c := range r.Matrix {
		if c.Row == c.Col || c.Lo == nil || c.Hi == nil || *c.Score < 0.5 || *c.Score == 0.5 && c.Row > c.Col {
			continue
		}
		if *c.Lo > 0.5 {
			oneSided = append(oneSided, c)
		}
		if far(c) <= even {
			balanced = append(balanced, c)
		}
	}
	slices.SortStableFunc(oneSided, func(a, b arena.MatrixCell) int { return cmp.Compare(*b.Lo, *a.Lo) })
	slices.SortStableFunc(balanced, func(a, b arena.MatrixCell) int { return cmp.Compare(far(a), far(b)) })
	return oneSided[:min(most, len(oneSided))], balanced[:min(most, len(balanced))]
}

// extremeTable lists the extremes of both kinds.
func (r *Report) extremeTable() *Table {
	type extreme struct {
		kind string
		arena.MatrixCell
	}
	oneSided, balanced := r.extremes(5)
	var rows []extreme
	for _, c := range oneSided {
		rows = append(rows, extreme{"one-sided", c})
	}
	for _, c := range balanced {
		rows = append(rows, extreme{"balanced", c})
	}
	t := tableOf("Most one-sided and most balanced match-ups", rows, []column[extreme]{
		{name: "kind", kind: words, cell: func(e *extreme) Cell { return text(e.kind) }},
		{head: "Role", name: "role", kind: words, cell: func(e *extreme) Cell { return text(e.Row) }},
		{head: "against", name: "against", kind: words, cell: func(e *extreme) Cell { return text(e.Col) }},
		{head: "Games", name: "games", cell: func(e *extreme) Cell { return count(e.Games) }},
		{head: "Score", name: "score", cell: func(e *extreme) Cell { return number(e.Score, Percent) }},
		{head: "95 %", cell: func(e *extreme) Cell { return text(bounds(e.Lo, e.Hi)) }},
		{name: "lo", kind: csvOnly, cell: func(e *extreme) Cell { return bare(e.Lo) }},
		{name: "hi", kind: csvOnly, cell: func(e *extreme) Cell { return bare(e.Hi) }},
		{head: "Plies", name: "mean_plies", drop: 1, cell: func(e *extreme) Cell { return number(e.MeanPlies, oneDigit) }},
	})
	t.Notes = []string{fmt.Sprintf("balanced: both bounds are within %g to %g %%", 100*(0.5-even), 100*(0.5+even))}
	return t
}
