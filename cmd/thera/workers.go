package main

import (
	"context"

	"thera/arena"
	"thera/arena/report"
	"thera/arena/store"
	"thera/arena/tournament"
)

// addWorkers adds to a report what is stored about the run's workers.
func addWorkers(ctx context.Context, db *store.Store, r *report.Report, run arena.RunInfo) error {
	g, err := gameOfRun(&run)
	if err != nil {
		return err
	}
	run, engines, games, err := db.Load(ctx, run.ID)
	if err != nil {
		return err
	}
	fleet := report.Fleet{Games: games}
	if fleet.By, err = db.Played(ctx, run.ID); err != nil {
		return err
	}
	if fleet.Incidents, err = db.Incidents(ctx, run.ID); err != nil {
		return err
	}
	_, err = tournament.Counted(run.PlanOf(g, engines), run, games, func(f *arena.Finished) { fleet.Counted = append(fleet.Counted, *f) })
	r.AddWorkers(fleet)
	return err
}
