// Package queue distributes pairs of games to workers within one process. A
// remote queue would have the same interface and pass the same tests.
//
// It knows neither formats nor results: tournament chooses the pairs, and store
// decides when a game is safe.
package queue

import (
	"context"
	"errors"
	"sync"

	"thera/arena"
)

// Lease is one pair's games, played one after another by the worker that took
// it.
type Lease struct {
	Place int // of the pair in job order
	Jobs  []arena.Job
	Pair  []string // identities of all games of the pair, those that are not to be played as well
}

// ErrClosed is returned by Take once the queue is closed and empty, and by
// Offer once it is closed.
var ErrClosed = errors.New("the queue is closed")

// Queue is safe for concurrent use. A taken lease belongs to one caller until
// Done, which is called after its results are stored, or Return.
type Queue interface {
	// Offer puts a lease at the end.
	Offer(ctx context.Context, l Lease) error
	// Take waits for the first lease and removes it.
	Take(ctx context.Context) (Lease, error)
	// Done acknowledges a lease that was taken.
	Done(place int)
	// Return gives a taken lease back; it is the next to be taken.
	Return(l Lease)
	// Withdraw removes all leases that were not taken.
	Withdraw()
	// Close ends the queue: no more offers, and takers get what is left.
	Close()
}

// Local is the queue within one process.
type Local struct {
	mu      sync.Mutex
	waiting []Lease
	taken   map[int]bool
	closed  bool
	change  chan struct{} // closed and replaced at each change
}

// NewLocal is an empty queue.
func NewLocal() *Local {
	return &Local{taken: map[int]bool{}, change: make(chan struct{})}
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
func (q *Local) Take(ctx context.Context) (Lease, error) {
	for {
		l, change, err := q.try()
		if change == nil {
			return l, err
		}
		select {
		case <-change:
		case <-ctx.Done():
			return Lease{}, ctx.Err()
		}
	}
}

// try takes a lease, or returns the channel that closes at the next change.
func (q *Local) try() (Lease, <-chan struct{}, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) > 0 {
		l := q.waiting[0]
		q.waiting = q.waiting[1:]
		q.taken[l.Place] = true
		return l, nil, nil
	}
	if q.closed {
		return Lease{}, nil, ErrClosed
	}
	return Lease{}, q.change, nil
}

// Done implements Queue.
func (q *Local) Done(place int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.taken, place)
}

// Return implements Queue.
func (q *Local) Return(l Lease) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.taken[l.Place] {
		return
	}
	delete(q.taken, l.Place)
	q.waiting = append([]Lease{l}, q.waiting...)
	q.wake()
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
