package report

import (
	"fmt"

	"thera/arena"
)

func (r *Report) roleTable() *Table {
	return tableOf("Roles (games against other roles)", r.Roles, func(l *line, s *arena.RoleRow) {
		l.count("Rank", "rank", s.Rank)
		l.word("Role", "role", s.Name)
		l.elo(&s.Score, ratedBar)
		l.score(&s.Score)
		l.wdl(s.WDL)
		l.figure("as first", "first_score", s.FirstScore, Percent).Drop = 1
		l.figure("as second", "second_score", s.SecondScore, Percent).Drop = 1
		adds := Cell{advantageText(s.Advantage, s.AdvantageE), raw(s.Advantage)}
		l.add(Heading{Head: "1st adds", Name: "first_advantage", Drop: 2}, adds)
		l.hidden("first_advantage_error", s.AdvantageE)
		l.figure("Plies", "mean_plies", s.MeanPlies, oneDigit).Drop = 5
		l.figure("Depth", "mean_depth", s.Depth, oneDigit).Drop = 7
		l.figure("ms/move", "mean_ms", s.MeanMs, oneDigit).Drop = 6
	})
}

// matchupTable shows the score of the first seat and, if there are few engines,
// the score of each.
func (r *Report) matchupTable() *Table {
	var engines []string
	if len(r.Engines) <= maxEngineCols && len(r.Pairings) > 0 {
		engines = r.engineNames()
	}
	return tableOf("Match-ups (score of the first seat)", r.Matchups, func(l *line, m *arena.MatchupRow) {
		l.word("First", "first", m.Roles[0])
		l.word("Second", "second", m.Roles[1])
		l.score(&m.Score)
		l.bounds(&m.Score)
		l.wdl(m.WDL)
		l.figure("Plies", "mean_plies", m.MeanPlies, oneDigit).Drop = 5
		for _, name := range engines {
			var score *float64
			for _, e := range m.Engines {
				if e.Name == name {
					score = e.Score
				}
			}
			l.figure(name, "score_of_"+name, score, Percent).Drop = 4
		}
	})
}

// advantageText formats an advantage in percent, as "+2.6 ±1.9".
func advantageText(x, e *float64) string {
	if x == nil || e == nil {
		return none
	}
	points := 100 * *x
	return fmt.Sprintf("%s ±%.1f", signed(&points), 100**e)
}

const wideMatrix = 10 // with more roles, cells have no bounds

// matrixTable has a row and a column for each role, ordered by rank. In CSV it
// is a list of cells instead.
func (r *Report) matrixTable() *Table {
	at := map[[2]string]*arena.MatrixCell{}
	for i := range r.Matrix {
		at[[2]string{r.Matrix[i].Row, r.Matrix[i].Col}] = &r.Matrix[i]
	}
	names := arena.Map(r.Roles, func(s arena.RoleRow) string { return s.Name })
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
