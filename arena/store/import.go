package store

import (
	"context"
	"iter"
	"time"

	"thera/arena"
)

// Import brings in a run with its games, all of it or nothing: new under its
// name, or added to one whose playing conditions are the same (else the error
// is a *Changed). Games that are there stay as they are. The run's state is
// info's afterwards, and it has info's remarks as well as its own. It returns
// how many games were read.
func (s *Store) Import(ctx context.Context, info arena.RunInfo, engines []arena.EngineSpec, games iter.Seq2[*arena.Record, error]) (n int, err error) {
	h := header{name: info.Name, game: info.Game, settings: info.Plan, engines: engines}
	started := info.Started
	if started.IsZero() {
		started = time.Now()
	}
	var ended error // of the games, not of the database
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
			p, err := pack(id, rec)
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

// imported counts what was brought in, and notes it.
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
