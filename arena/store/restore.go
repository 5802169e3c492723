package store

import (
	"context"
	"time"

	"thera/arena"
)

// Restore opens a run for games that were exported: new under that name, or
// one whose playing conditions are the same (else the error is a *Changed).
func (s *Store) Restore(ctx context.Context, info arena.RunInfo, engines []arena.EngineSpec) (run int64, err error) {
	started := info.Started
	if started.IsZero() {
		started = time.Now()
	}
	return s.begin(ctx, header{name: info.Name, game: info.Game, settings: info.Plan, engines: engines}, started)
}
