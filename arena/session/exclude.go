package session

import (
	"context"
	"errors"
	"fmt"

	"thera/arena"
	"thera/arena/tournament"
)

// exclusion are games of a worker that shall not count: those with these identities, or all.
type exclusion struct {
	worker string
	games  []string
	reason string
	late   bool // they came after others of the worker were set aside
}

// exclude sets games of a worker aside and makes the fold anew from those that are left. Games
// that are being played stay so: again knows them.
func (r *run) exclude(ctx context.Context, x *exclusion) error {
	ctx = context.WithoutCancel(ctx)
	if x.games == nil {
		r.out[x.worker] = x.reason
	}
	for _, id := range x.games {
		if r.pairs.arriving(id) {
			r.stale[id] = x.reason
		}
	}
	n, err := r.Store.SetWorkerAside(ctx, r.id, x.worker, x.games, x.reason)
	if errors.Is(err, arena.ErrNoGames) {
		if err = nil; !x.late {
			return nil
		}
	}
	var done []arena.Game
	if err == nil {
		done, err = r.Store.Finished(ctx, r.id)
	}
	if err == nil {
		err = r.Store.Note(ctx, r.id, "running", "")
	}
	if err != nil {
		return &StoreError{"setting aside games of worker " + x.worker, err}
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
		r.emit(arena.Event{Kind: arena.Warned, Text: fmt.Sprintf("worker %s: %s are set aside and played again: %s", x.worker, arena.Plural(n, "game"), x.reason)})
	}
	return nil
}

// late is the exclusion of a game that has come when others of its worker, or it, were set
// aside; nil for other games.
func (r *run) late(rec *arena.Game) *exclusion {
	if rec.By == nil {
		return nil
	}
	x := &exclusion{worker: rec.By.Worker, reason: r.out[rec.By.Worker], late: true}
	if reason := r.stale[rec.ID]; reason != "" && x.reason == "" {
		x.reason, x.games = reason, []string{rec.ID}
	}
	delete(r.stale, rec.ID)
	if x.reason == "" {
		return nil
	}
	return x
}
