package main

import (
	"context"
	"errors"

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
	if err != nil && !errors.Is(err, store.ErrDamaged) { // damaged games are named elsewhere
		return err
	}
	looked := 0
	for i := range done {
		if done[i].Source != arena.Unrated {
			continue
		}
		rec, _, err := db.Game(ctx, done[i].ID)
		switch {
		case errors.Is(err, store.ErrDamaged):
			continue
		case err != nil:
			return err
		}
		r.AddDifference(rec)
		if looked++; looked == mostDifferences {
			break
		}
	}
	return nil
}
