package main

import (
	"context"
	"io"

	"thera/arena"
	"thera/arena/report"
	"thera/arena/store"
)

// showRun prints what a run ends with, or has come to.
func showRun(ctx context.Context, out io.Writer, db *store.Store, sum *arena.Summary, width int) error {
	run, err := db.Find(ctx, sum.Run.Name)
	if err != nil {
		return err
	}
	sum.Run = run
	r, err := report.New(sum)
	if err != nil {
		return err
	}
	if err := addDifference(ctx, db, r, sum); err != nil {
		return err
	}
	r.Width = width
	return r.Brief(out, "thera results "+quoteAll([]string{run.Name})[0])
}
