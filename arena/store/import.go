package store

import (
	"cmp"
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
	h := head{Game: info.Game, Started: info.Started, Settings: info.Plan}
	if h.Started.IsZero() {
		h.Started = time.Now()
	}
	var ended error // from games, not from the database
	err = s.do(ctx, func(commit context.Context, w *writer) error {
		r, err := w.begin(commit, info.Name, h, engines)
		if err != nil {
			return err
		}
		for g, err := range games {
			if ended = cmp.Or(err, ctx.Err()); ended != nil {
				return ended
			}
			p, err := s.put(r.id, g)
			if err == nil {
				_, err = w.put(commit, r, p)
			}
			if err != nil {
				return err
			}
			n++
		}
		return w.note(commit, r, info.State, info.Remarks...)
	})
	if ended != nil {
		err = ended
	}
	if err != nil {
		n = 0
	}
	return n, err
}
