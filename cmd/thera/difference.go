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
	var ids []string
	err := db.Load(ctx, sum.Run.ID, func(l *store.Loaded) error {
		for g := range l.Games {
			if g.Source == arena.Unrated && len(ids) < mostDifferences {
				ids = append(ids, g.ID)
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, store.ErrDamaged) { // damaged games are named elsewhere
		return err
	}
	for _, id := range ids {
		rec, _, err := db.Game(ctx, id)
		if err == nil {
			r.AddDifference(rec)
		} else if !errors.Is(err, store.ErrDamaged) {
			return err
		}
	}
	return nil
}
