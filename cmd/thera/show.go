package main

import (
	"context"
	"fmt"
	"io"

	"thera/arena"
	"thera/arena/report"
	"thera/arena/store"
	"thera/arena/tournament"
)

// showRun prints a run's tables and, where the format has an order of its own
// (Swiss, knockout), that.
func showRun(ctx context.Context, out io.Writer, db *store.Store, run int64, plan *arena.Plan, s *tournament.Schedule) error {
	sum, err := db.Summary(ctx, run)
	if err != nil {
		return err
	}
	r, err := report.New(sum)
	if err != nil {
		return err
	}
	if err := r.Write(out, report.Terminal); err != nil {
		return err
	}
	standings := s.Standings()
	if len(standings) == 0 {
		return nil
	}
	swiss := plan.Format.Name == "swiss"
	t := &report.Table{Name: "standings", Title: "Standings", Columns: []report.Column{
		{Head: "place", Name: "place"},
		{Head: "engine", Name: "engine", Left: true},
		{Head: "points", Name: "points"},
		{Head: "won", Name: "won"},
	}}
	if swiss {
		t.Columns = append(t.Columns, report.Column{Head: "Buchholz", Name: "buchholz"})
	}
	t.Columns = append(t.Columns, report.Column{Head: "remark", Name: "remark", Left: true})
	for i, st := range standings {
		words := []string{fmt.Sprint(i + 1), plan.Engines[st.Engine].Name, fmt.Sprintf("%g", st.Points), fmt.Sprint(st.Wins)}
		if swiss {
			words = append(words, fmt.Sprintf("%g", st.Buchholz))
		}
		var row []report.Cell
		for _, word := range append(words, st.Note) {
			row = append(row, report.Cell{Text: word, Raw: word})
		}
		t.Rows = append(t.Rows, row)
	}
	if _, err := fmt.Fprintln(out); err != nil {
		return err
	}
	return t.Write(out, report.Terminal)
}
