package main

import (
	"context"
	"io"

	"github.com/kballard/go-shellquote"

	"thera/arena"
	"thera/arena/report"
	"thera/arena/store"
)

// showRun prints what a run ends with, or has come to. flags are those that lead to
// its database.
func showRun(ctx context.Context, out io.Writer, db *store.Store, sum *arena.Summary, width int, flags string) error {
	run, err := db.Find(ctx, sum.Run.Name)
	if err != nil {
		return err
	}
	sum.Run = run
	r := report.New(sum)
	if err := addDifference(ctx, db, r, sum); err != nil {
		return err
	}
	r.Width, r.Flags = width, flags
	return r.Brief(out, "results "+shellquote.Join(run.Name))
}
