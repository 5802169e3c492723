package runner

import (
	"context"
	"fmt"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/queue"
)

// Remote lets workers elsewhere play the leases of a run as well.
type Remote interface {
	// Open makes the queue of a run, before its first lease.
	Open(ctx context.Context, run int64) (queue.Queue, error)

	// Serve passes the games that workers hand in to desk until ctx ends. It returns
	// when desk has them.
	Serve(ctx context.Context, desk *Desk) error

	// Slots is how many workers there are now, and how many games they play at a time.
	Slots() (workers, slots int)

	// Audit reports whether a game that is stored is to be played again by somebody
	// else than the one who played it, to be compared. Audited takes it, if a slot of this
	// process played it.
	Audit(id string) bool
	Audited(rec *arena.Record)

	// Busy reports whether a run that is over has to wait for such games. Finish is
	// called once when it has: all leases were withdrawn from the queue, theirs as well.
	Busy() bool
	Finish()
}

// Desk takes the games that workers elsewhere played. It is safe for concurrent use.
// Its caller has verified them.
type Desk struct{ run *run }

// Wanted returns the job with this identity, if it was offered and its game has not
// come.
func (d *Desk) Wanted(id string) (arena.Job, bool) {
	job, _, ok := d.run.ledger.wanted(id)
	return job, ok
}

// Take stores the games of one pair and returns when they are durable. Games that
// are not wanted are dropped. A game that stalled, the last one, voids the pair.
func (d *Desk) Take(ctx context.Context, recs []*arena.Record) error {
	var puts sync.WaitGroup
	errs := make([]error, len(recs))
	handed, place, any := 0, 0, false
	last := func() {} // it is put by this goroutine
	for i, rec := range recs {
		_, at, ok := d.run.ledger.wanted(rec.ID)
		if !ok {
			continue
		}
		place, any = at, true
		if rec.Source == arena.Stalled {
			last()
			puts.Wait()
			return d.run.voidPair(ctx, place, rec, handed)
		}
		if !d.run.ledger.claim(rec.ID) {
			continue
		}
		handed++
		if handed > 1 {
			puts.Go(last)
		}
		last = func() { errs[i] = d.run.put(ctx, message{finished: rec, place: at}) }
	}
	if any { // another lease may be offered; the games wait to be durable
		d.run.endLease(place)
	}
	last()
	puts.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Warn shows a remark about the workers.
func (d *Desk) Warn(text string) { d.run.inbox <- message{warning: text} }

// Wake makes the runner look again how many slots there are.
func (d *Desk) Wake() { d.run.inbox <- message{} }

// put stores a finished game and reports it to the run's loop.
func (r *run) put(ctx context.Context, msg message) error {
	rec := msg.finished
	if err := r.Store.Put(context.WithoutCancel(ctx), r.id, rec); err != nil {
		err = &StoreError{"storing game " + rec.ID, err}
		r.inbox <- message{err: err}
		return err
	}
	r.inbox <- msg
	return nil
}

// voidPair sets aside the pair of a lease, of which handed games came before the one
// that stalled.
func (r *run) voidPair(ctx context.Context, place int, stalled *arena.Record, handed int) error {
	pair := r.ledger.pair(place)
	left, attempt, ok := r.ledger.void(place, handed)
	if !ok {
		return nil
	}
	if err := r.Store.Void(context.WithoutCancel(ctx), r.id, stalled, pair); err != nil {
		err = &StoreError{"storing game " + stalled.ID, err}
		r.inbox <- message{err: err}
		return err
	}
	r.inbox <- message{stalled: stalled, place: place, left: left, before: handed, attempt: attempt}
	r.inbox <- message{played: true, place: place}
	return nil
}

// endLease reports that a lease was played to its end, once.
func (r *run) endLease(place int) {
	if r.ledger.play(place) {
		r.inbox <- message{played: true, place: place}
	}
}

// audit compares what the queue holds with what is missing, from time to time, until
// ctx ends: leases that it lost, or that were acknowledged without games, are offered
// again.
func (r *run) audit(ctx context.Context) {
	tick := time.NewTicker(auditEvery)
	defer tick.Stop()
	lost := false
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		begun := time.Now()
		held, err := r.queue.Held(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !lost:
			lost = true
			r.inbox <- message{warning: fmt.Sprintf("the queue of the workers cannot be reached, and is tried again: %v", err)}
		case err == nil:
			lost = false
			r.inbox <- message{held: held, begun: begun}
		}
	}
}

// auditEvery is how soon a lost lease is noticed.
const auditEvery = time.Second

// again offers leases that the queue does not hold.
func (r *run) again(ctx context.Context, m *message) error {
	for _, l := range r.ledger.missing(m.held, m.begun) {
		if err := r.queue.Offer(ctx, l); err != nil {
			return err
		}
	}
	return nil
}
