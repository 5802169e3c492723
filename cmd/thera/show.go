package main

import (
	"context"
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
	r.Standings = placings(plan, s)
	return r.Write(out, report.Terminal)
}
