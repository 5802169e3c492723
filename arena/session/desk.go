package session

import (
	"context"
	"errors"
	"sync"

	"thera/arena"
)

// Remote lets workers elsewhere play pairs of a run as well.
type Remote interface {
	// Open begins a run, before its first pair, and returns workers none of whose games counts,
	// and why. desk has its pairs.
	Open(ctx context.Context, run int64, desk *Desk) (excluded map[string]string, err error)

	// Serve has workers play pairs until ctx ends. It returns when the desk has all that they
	// have played.
	Serve(ctx context.Context) error

	// Slots is how many workers there are now, and how many games they play at a time.
	Slots() (workers, slots int)

	// Finished is called with each game that is stored, by one goroutine. It must not wait.
	Finished(rec *arena.Game)

	// Busy reports whether a run that is over has to wait for audits.
	Busy() bool
}

// Desk has the pairs of a run for workers elsewhere, and takes their games. It is safe for
// concurrent use.
type Desk struct {
	*pairs
	run *run
}

// Store stores the games of a pair, which the caller has verified, and returns when they are
// durable. Games that are not wanted any more are dropped. A game that stalled, the last one,
// voids the pair.
func (d *Desk) Store(ctx context.Context, p *Pair, recs []*arena.Game) error {
	var puts sync.WaitGroup
	errs := make([]error, len(recs))
	handed := 0
	for i, rec := range recs {
		if rec.Source == arena.Stalled {
			puts.Wait()
			return d.run.voidPair(ctx, p, rec, handed)
		}
		if !d.came(p, rec.ID) {
			continue
		}
		handed++
		puts.Go(func() { errs[i] = d.run.put(ctx, rec) })
	}
	d.run.ended(p) // another pair may be offered; the games wait to be durable
	puts.Wait()
	return errors.Join(errs...)
}

// SetAside sets aside games of a worker, those with these identities or all: they are played
// again. It returns when they do not count any more.
func (d *Desk) SetAside(worker string, games []string, reason string) error {
	done := make(chan error, 1)
	d.run.inbox <- func(ctx context.Context) error {
		err := d.run.exclude(ctx, worker, games, reason)
		done <- err
		return err
	}
	return <-done
}

// Warn shows a remark about the workers.
func (d *Desk) Warn(text string) { d.run.inbox <- d.run.warn(text) }

// Wake makes the runner look again how many slots there are.
func (d *Desk) Wake() { d.run.inbox <- failed(nil) }

// put stores a finished game and reports it to the run's loop.
func (r *run) put(ctx context.Context, rec *arena.Game) error {
	if err := r.Store.Put(context.WithoutCancel(ctx), r.id, rec); err != nil {
		err = &StoreError{"storing game " + rec.ID, err}
		r.inbox <- failed(err)
		return err
	}
	r.inbox <- func(ctx context.Context) error { return r.finished(ctx, rec) }
	return nil
}

// voidPair sets a pair aside, of which handed games came before the one that stalled.
func (r *run) voidPair(ctx context.Context, p *Pair, stalled *arena.Game, handed int) error {
	if !r.pairs.void(p) {
		return nil
	}
	if err := r.Store.Void(context.WithoutCancel(ctx), r.id, stalled, p.All); err != nil {
		err = &StoreError{"storing game " + stalled.ID, err}
		r.inbox <- failed(err)
		return err
	}
	r.inbox <- func(context.Context) error { return r.void(p.Place, stalled, handed) }
	return nil
}

// ended notes that a pair was played to its end: another one may be offered.
func (r *run) ended(p *Pair) {
	r.pairs.end(p)
	r.inbox <- failed(nil)
}
