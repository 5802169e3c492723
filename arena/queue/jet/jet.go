// Package jet is the queue over NATS JetStream: leases for takers on any machine.
//
// # Streams and subjects
//
// A run has one stream, THERA_KEY, with work-queue retention in memory, and one pull
// consumer, "pairs", that all takers share. A lease is a message of the subject
// thera.KEY.lease.PLACE.ATTEMPT; its message id is the identity of its first job and
// the attempt, so that an offer that is repeated after a lost answer is stored once.
// An acknowledged lease leaves the stream. So the subjects in the stream are the
// leases that are held.
//
// The stream holds a window of the schedule, and nothing that SQLite and the plan do
// not have: a runner deletes a stream of its key that it finds, and makes the stream
// again when the server has lost it. In a cluster the stream has three replicas.
//
// # Leases that are lost
//
// A taker repeats every third of the consumer's acknowledgement wait that it has the
// lease. If it falls silent, the server gives the lease to the next one. An answer to
// a Take that nobody waits for any more is given back at once.
//
// # Defaults that are not used
//
// MaxAckPending (1,000 leases taken at a time) and MaxWaiting (512 takers that wait)
// are too few for a fleet. The embedded server handles no signals, writes no log and
// keeps nothing on disk but its own bookkeeping, which is removed with it. A message
// is at most 1 MiB, the default of servers: larger ones are the caller's problem.
//
// The package knows leases, not games: workers hand in games by package remote.
package jet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"thera/arena/queue"
)

// DefaultWait is after how long a taker that is not heard has lost its lease.
const DefaultWait = 30 * time.Second

const (
	consumerName = "pairs"
	maxWaiting   = 1 << 17 // takers that wait at a time
	adminWait    = 5 * time.Second
	replicas     = 3 // of the stream, where servers are a cluster
)

func streamOf(key string) string   { return "THERA_" + key }
func subjectsOf(key string) string { return "thera." + key + ".lease" }

// Queue is the runner's end of a run's queue.
type Queue struct {
	*Source
	js jetstream.JetStream

	ending sync.Mutex
	closed bool
}

var _ queue.Queue = (*Queue)(nil)

// Open makes the queue of the run with this key, without the leases of an earlier
// one. A key is a word of letters and digits. wait is after how long a taker that is
// not heard has lost its lease.
func Open(ctx context.Context, nc *nats.Conn, key string, wait time.Duration) (*Queue, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	q := &Queue{Source: Join(nc, key, wait), js: js}
	q.own = true
	if err := q.Delete(ctx); err != nil {
		return nil, err
	}
	return q, q.create(ctx)
}

// create makes the stream and its consumer, unless they are there.
func (q *Queue) create(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, adminWait)
	defer cancel()
	config := jetstream.StreamConfig{
		Name: streamOf(q.key), Subjects: []string{subjectsOf(q.key) + ".>"},
		Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage,
	}
	if q.nc.ConnectedClusterName() != "" {
		config.Replicas = replicas
	}
	stream, err := q.js.CreateOrUpdateStream(ctx, config)
	if config.Replicas > 0 && is(err, noPeers, noReplicas) { // a cluster of fewer servers
		config.Replicas = 0
		stream, err = q.js.CreateOrUpdateStream(ctx, config)
	}
	if err == nil {
		_, err = stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: q.wait,
			MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: maxWaiting, MemoryStorage: true,
		})
	}
	if err != nil {
		return fmt.Errorf("stream %s: %w", streamOf(q.key), err)
	}
	return nil
}

// Delete removes the queue from the server, with all leases.
func (q *Queue) Delete(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, adminWait)
	defer cancel()
	if err := q.js.DeleteStream(ctx, streamOf(q.key)); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return fmt.Errorf("removing stream %s: %w", streamOf(q.key), err)
	}
	return nil
}

// Offer implements queue.Queue. It returns when the server has the lease.
func (q *Queue) Offer(ctx context.Context, l queue.Lease) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if q.over() {
		return queue.ErrClosed
	}
	data, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("lease %d: %w", l.Place, err)
	}
	msg := &nats.Msg{Subject: fmt.Sprintf("%s.%d.%d", subjectsOf(q.key), l.Place, l.Attempt), Data: data}
	id := jetstream.WithMsgID(fmt.Sprintf("%s.%d", l.Jobs[0].ID, l.Attempt))
	for {
		at, cancel := context.WithTimeout(ctx, adminWait)
		_, err = q.js.PublishMsg(at, msg, id)
		cancel()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !lostStream(err):
			return fmt.Errorf("offering the lease of pair %d: %w", l.Place, err)
		}
		// The server was started again, or is being started: the runner offers what
		// was in the stream when it sees that Held lacks it.
		if err := q.create(ctx); err != nil && !lostStream(err) {
			return err
		}
		select {
		case <-time.After(retryAfter):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

const retryAfter = 200 * time.Millisecond

// Errors of JetStream, by their codes.
const (
	noPeers         = 10005 // not so many servers
	noReplicas      = 10074 // no cluster
	notAvailable    = 10008 // nobody leads the cluster now
	streamOffline   = 10118
	consumerOffline = 10119
)

// is reports whether err is one of these errors of JetStream.
func is(err error, codes ...jetstream.ErrorCode) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && slices.Contains(codes, api.ErrorCode)
}

// lostStream reports whether err means that there is no stream now.
func lostStream(err error) bool {
	for _, known := range []error{
		jetstream.ErrNoStreamResponse, jetstream.ErrStreamNotFound, nats.ErrNoResponders, nats.ErrTimeout,
		context.DeadlineExceeded, jetstream.ErrJetStreamNotEnabled, nats.ErrReconnectBufExceeded, nats.ErrConnectionReconnecting,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	return is(err, notAvailable, streamOffline, consumerOffline)
}

// Held implements queue.Queue. A stream that the server has lost is made again,
// and holds nothing.
func (q *Queue) Held(ctx context.Context) (map[int]bool, error) {
	ctx, cancel := context.WithTimeout(ctx, adminWait)
	defer cancel()
	stream, err := q.js.Stream(ctx, streamOf(q.key))
	if errors.Is(err, jetstream.ErrStreamNotFound) && !q.over() {
		return map[int]bool{}, q.create(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", streamOf(q.key), err)
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(subjectsOf(q.key)+".>"))
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", streamOf(q.key), err)
	}
	held := make(map[int]bool, len(info.State.Subjects))
	for subject := range info.State.Subjects {
		place, _, _ := strings.Cut(strings.TrimPrefix(subject, subjectsOf(q.key)+"."), ".")
		n, err := strconv.Atoi(place)
		if err != nil {
			return nil, fmt.Errorf("stream %s has the subject %q, which is no lease", streamOf(q.key), subject)
		}
		held[n] = true
	}
	return held, nil
}

// Withdraw implements queue.Queue. Leases that are taken are no longer held either.
func (q *Queue) Withdraw() {
	ctx, cancel := context.WithTimeout(context.Background(), adminWait)
	defer cancel()
	if stream, err := q.js.Stream(ctx, streamOf(q.key)); err == nil {
		_ = stream.Purge(ctx) // a lease that is left is refused when its games come
	}
}

// Close implements queue.Queue.
func (q *Queue) Close() {
	q.ending.Lock()
	defer q.ending.Unlock()
	if !q.closed {
		q.closed = true
		close(q.closing)
	}
}

func (q *Queue) over() bool {
	q.ending.Lock()
	defer q.ending.Unlock()
	return q.closed
}
