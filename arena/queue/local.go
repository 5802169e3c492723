package queue

import (
	"context"
	"sync"
)

// Local is the queue within one process. Its takers are trusted to call Done or
// Return.
type Local struct {
	mu      sync.Mutex
	waiting []Lease
	taken   map[int]*taken
	closed  bool
	change  chan struct{} // closed and replaced at each change
}

// NewLocal is an empty queue.
func NewLocal() *Local {
	return &Local{taken: map[int]*taken{}, change: make(chan struct{})}
}

var _ Queue = (*Local)(nil)

// wake wakes all waiting calls. The lock is held.
func (q *Local) wake() {
	close(q.change)
	q.change = make(chan struct{})
}

// Offer implements Queue; it does not wait.
func (q *Local) Offer(ctx context.Context, l Lease) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if q.closed {
		return ErrClosed
	}
	q.waiting = append(q.waiting, l)
	q.wake()
	return nil
}

// Take implements Queue.
func (q *Local) Take(ctx context.Context) (Taken, error) {
	for {
		t, change, err := q.try()
		switch {
		case err != nil:
			return nil, err
		case t != nil:
			return t, nil
		}
		select {
		case <-change:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// try takes a lease, or returns the channel that closes at the next change.
func (q *Local) try() (*taken, <-chan struct{}, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) > 0 {
		t := &taken{queue: q, lease: q.waiting[0]}
		q.waiting = q.waiting[1:]
		q.taken[t.lease.Place] = t
		return t, nil, nil
	}
	if q.closed {
		return nil, nil, ErrClosed
	}
	return nil, q.change, nil
}

// Held implements Queue.
func (q *Local) Held(context.Context) (map[int]bool, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	held := make(map[int]bool, len(q.waiting)+len(q.taken))
	for _, l := range q.waiting {
		held[l.Place] = true
	}
	for place := range q.taken {
		held[place] = true
	}
	return held, nil
}

// Withdraw implements Queue.
func (q *Local) Withdraw() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = nil
}

// Close implements Queue.
func (q *Local) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.closed = true
		q.wake()
	}
}

// taken is a lease of a Local queue in the hands of a slot.
type taken struct {
	queue *Local
	lease Lease
}

// Lease implements Taken.
func (t *taken) Lease() Lease { return t.lease }

// Done implements Taken.
func (t *taken) Done() { t.end() }

// Return implements Taken.
func (t *taken) Return() {
	if q := t.queue; t.end() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.waiting = append([]Lease{t.lease}, q.waiting...)
		q.wake()
	}
}

// end reports whether the lease was still this taker's.
func (t *taken) end() bool {
	q := t.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.taken[t.lease.Place] != t {
		return false
	}
	delete(q.taken, t.lease.Place)
	return true
}
