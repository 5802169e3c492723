// Package queue distributes the leases of a run to those who play them.
//
// A lease is one pair's games. The runner offers leases, takers take them. There
// are two queues: Local, for the slots of this process, and that of package jet,
// for workers on any machine. Both pass the tests of package queuetest. What they
// promise is what a queue between machines can keep:
//
//   - A lease that was offered is taken, and taken again until it is acknowledged:
//     if a taker gives it back, or disappears. So a lease may be taken twice, and
//     twice at the same time. Who stores games must recognise doubles by the
//     identity of the job.
//   - Takers acknowledge a lease when its games are stored. The queue does not check
//     that. The runner compares Held with what it still misses and offers a lease
//     again that the queue no longer has.
//   - An acknowledgement counts even if it is late and another taker has the lease by then.
//   - Nothing in a queue is needed to resume a run. It can be lost at any moment.
//
// The package knows neither formats nor results: tournament chooses the pairs, and
// store decides when a game is safe.
package queue

import (
	"context"
	"errors"

	"thera/arena"
)

// Lease is one pair's games, played one after another by the taker.
type Lease struct {
	Place   int         `json:"place"`             // of the pair in job order
	Attempt int         `json:"attempt,omitempty"` // how often the pair was offered before
	Jobs    []arena.Job `json:"jobs"`
	Pair    []string    `json:"pair"` // identities of all games of the pair, those that are not to be played as well
}

// ErrClosed is returned by Take once the queue is closed and empty, and by
// Offer once it is closed.
var ErrClosed = errors.New("the queue is closed")

// Source is the takers' end of a queue. It is safe for concurrent use.
type Source interface {
	// Take waits for the first lease that nobody has.
	Take(ctx context.Context) (Taken, error)
}

// Queue is the runner's end. It is safe for concurrent use.
type Queue interface {
	Source
	// Offer puts a lease at the end. A place is offered again only with another
	// Attempt.
	Offer(ctx context.Context, l Lease) error
	// Held are the places of all leases that wait or are taken.
	Held(ctx context.Context) (map[int]bool, error)
	// Withdraw removes all leases that are not taken, as far as the queue can be reached.
	Withdraw()
	// Close ends the queue: no more offers, and takers get what is left.
	Close()
}

// Taken is a lease in the hands of a taker. As long as the taker's process lives
// and can be heard, nobody else gets it, until Done or Return; either is called
// once. If the queue cannot be reached then, the lease comes again.
type Taken interface {
	Lease() Lease
	// Done acknowledges the lease: its games are stored.
	Done()
	// Return gives the lease back, for the next that comes.
	Return()
}
