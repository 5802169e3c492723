package main

import (
	"context"
	"iter"

	"thera/arena"
	"thera/arena/store"
	"thera/arena/tournament"
)

// addWorkers adds to a summary what is stored about the run's workers.
func addWorkers(ctx context.Context, db *store.Store, sum *arena.Summary) error {
	run := sum.Run
	g, err := gameOfRun(&run)
	if err != nil {
		return err
	}
	incidents, err := db.Incidents(ctx, run.ID)
	if err != nil {
		return err
	}
	var all []arena.Game
	var pairs [][]*arena.Game
	err = db.Load(ctx, run.ID, func(run arena.RunInfo, games iter.Seq[*arena.Game]) error {
		for g := range games {
			all = append(all, *g)
		}
		_, err = tournament.Counted(run.PlanOf(g), run, tournament.Stored(all), func(pair []*arena.Game, _ bool) {
			pairs = append(pairs, pair)
		})
		return err
	})
	sum.Workers = tournament.Workers(all, pairs, incidents)
	return err
}
