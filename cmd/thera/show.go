package main

import (
	"context"
	"io"

	"thera/arena"
	"thera/arena/report"
	"thera/arena/store"
)

// mostDifferences bounds the games that are searched for the smallest difference.
const mostDifferences = 200

// addDifference adds the smallest difference between the engines' rules, among the
// first ones that the run found.
func addDifference(ctx context.Context, db *store.Store, r *report.Report, sum *arena.Summary) error {
	if sum.Unrated == 0 {
		return nil
	}
	done, err := db.Finished(ctx, sum.Run.ID)
	if err != nil {
		return err
	}
	looked := 0
	for i := range done {
		if done[i].Source != arena.Unrated {
			continue
		}
		rec, _, err := db.Game(ctx, done[i].ID)
		if err != nil {
			return err
		}
		r.AddDifference(rec)
		if looked++; looked == mostDifferences {
			break
		}
	}
	return nil
}

// showRun prints the tables of a run with what the database adds to them.
func showRun(ctx context.Context, out io.Writer, db *store.Store, sum *arena.Summary) error {
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
	return r.Write(out, report.Terminal)
}
