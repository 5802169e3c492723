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
	var fleet tournament.Fleet
	if fleet.Incidents, err = db.Incidents(ctx, run.ID); err != nil {
		return err
	}
	err = db.Load(ctx, run.ID, func(run arena.RunInfo, games iter.Seq[*arena.Game]) error {
		for g := range games {
			fleet.Games = append(fleet.Games, *g)
		}
		_, err = tournament.Counted(run.PlanOf(g), run, tournament.Stored(fleet.Games), func(pair []*arena.Game, _ bool) {
			fleet.Pairs = append(fleet.Pairs, pair)
		})
		return err
	})
	sum.Workers = tournament.Workers(fleet)
	return err
}
