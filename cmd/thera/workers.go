package main

import (
	"context"

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
	run, engines, games, err := db.Load(ctx, run.ID)
	if err != nil {
		return err
	}
	fleet := tournament.Fleet{Games: games}
	if fleet.Incidents, err = db.Incidents(ctx, run.ID); err != nil {
		return err
	}
	_, err = tournament.Counted(run.PlanOf(g, engines), run, games, func(f *arena.Game) { fleet.Counted = append(fleet.Counted, *f) })
	sum.Workers = tournament.Workers(fleet)
	return err
}
