package store

import (
	"context"
	"iter"
	"time"

	"thera/arena"
)

// Import adds a run with its games, completely or not at all. If there is a run
// with this name, its playing conditions must be the same; its games stay
// unchanged. Afterwards the run has info's state, and info's remarks in addition
// to its own. Import returns the number of games read.
func (s *Store) Import(ctx context.Context, info arena.RunInfo, engines []arena.EngineSpec, games iter.Seq2[*arena.Game, error]) (n int, err error) {
	h := header{name: info.Name, game: info.Game, settings: info.Plan, engines: engines}
	started := info.Started
	if started.IsZero() {
		started = time.Now()
	}
	var ended error // from games, not from the database
	err = s.await(ctx, task{change: func(commit context.Context, w *writer) error {
		if err := w.refresh(commit); err != nil {
			return err
		}
		id, err := beginRun(commit, w.conn, &h, started)
		if err != nil {
			return err
		}
		for rec, err := range games {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				ended = err
				return err
			}
			p, err := s.put(id, rec)
			if err == nil {
				err = w.put(commit, p)
			}
			if err != nil {
				return err
			}
			n++
		}
		return w.imported(commit, id, info)
	}})
	if ended != nil {
		err = ended
	}
	if err != nil {
		n = 0
	}
	return n, err
}

// imported updates the counts, remarks and state of the run.
func (w *writer) imported(ctx context.Context, id int64, info arena.RunInfo) error {
	if err := w.count(ctx); err != nil {
		return err
	}
	for _, remark := range info.Remarks {
		if err := note(ctx, w.conn, id, "", remark); err != nil {
			return err
		}
	}
	return note(ctx, w.conn, id, info.State, arena.Remark{})
}
