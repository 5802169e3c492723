package session

import (
	"context"
	"errors"
	"fmt"

	"thera/arena"
	"thera/arena/tournament"
)

// exclude sets games of a worker aside, those with these identities or all, and makes the fold anew
// from those that are left. Games that are being played stay so: pairs knows them.
func (r *run) exclude(ctx context.Context, worker string, games []string, reason string) error {
	ctx = context.WithoutCancel(ctx)
	if games == nil {
		r.out[worker] = reason
	}
	for _, id := range games {
		if r.pairs.arriving(id) {
			r.stale[id] = reason
		}
	}
	n, err := r.Store.SetWorkerAside(ctx, r.id, worker, games, reason)
	if errors.Is(err, arena.ErrNoGames) {
		err = nil
	}
	var done []arena.Game
	if err == nil {
		done, err = r.Store.Finished(ctx, r.id)
	}
	if err == nil {
		err = r.Store.Note(ctx, r.id, "running", "")
	}
	if err != nil {
		return &StoreError{"setting aside games of worker " + worker, err}
	}
	fold, err := tournament.New(r.Plan)
	if err != nil {
		return err
	}
	fold.AddAll(done)
	fold.News() // it was told before
	r.fold = fold
	r.pairs.unclaim()
	r.played += fold.Known() - r.kept - r.played
	if r.played < 0 {
		r.kept, r.played = r.kept+r.played, 0
	}
	if n > 0 {
		r.emit(arena.Event{Kind: arena.Warned, Text: fmt.Sprintf("worker %s: %s are set aside and played again: %s", worker, arena.Plural(n, "game"), reason)})
	}
	return nil
}
