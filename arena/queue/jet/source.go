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

// pullFor is how long one request for a lease waits at the server, at most.
const pullFor = 5 * time.Second

// answerAfter is how long after its end the answer to a request may come.
const answerAfter = time.Second

// Source is the takers' end of a run's queue.
type Source struct {
	nc      *nats.Conn
	key     string
	wait    time.Duration
	own     bool          // of the runner: a stream that is gone comes back
	closing chan struct{} // closed when the runner closes the queue

	mu    sync.Mutex
	sub   *nats.Subscription // of all answers, at inbox.N; nil before the first request
	inbox string
	asked uint64  // requests
	pulls []*pull // that wait, the oldest first
}

var _ queue.Source = (*Source)(nil)

// Join is the takers' end of the queue with this key. Take returns
// queue.ErrClosed while the server has no such queue. wait is that of the queue.
func Join(nc *nats.Conn, key string, wait time.Duration) *Source {
	return &Source{nc: nc, key: key, wait: wait, closing: make(chan struct{})}
}

// Leave ends the source. Leases that it has are lost after the wait.
func (s *Source) Leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sub != nil {
		_ = s.sub.Unsubscribe()
		s.sub = nil
	}
	s.pulls = nil
}

// pull is a request for one lease. A lease is the answer to the oldest one, as it does not
// say to which request it came; one that nobody waits for goes back. The word that a request
// has ended without a lease has its subject.
type pull struct {
	source *Source
	reply  string
	got    chan *nats.Msg // has room for the answer
}

// ask requests a lease; wait is for how long the server keeps the request, and 0 that it
// does not.
func (s *Source) ask(wait time.Duration) (*pull, error) {
	request := fmt.Sprintf(`{"batch":1,"expires":%d}`, wait.Nanoseconds())
	if wait == 0 {
		request = `{"batch":1,"no_wait":true}`
	}
	p := &pull{source: s, got: make(chan *nats.Msg, 1)}
	s.mu.Lock()
	if s.sub == nil {
		inbox := s.nc.NewInbox()
		sub, err := s.nc.Subscribe(inbox+".*", s.answer)
		if err != nil {
			s.mu.Unlock()
			return nil, err
		}
		s.sub, s.inbox = sub, inbox
	}
	s.asked++
	p.reply = s.inbox + "." + strconv.FormatUint(s.asked, 36)
	s.pulls = append(s.pulls, p)
	s.mu.Unlock()
	subject := "$JS.API.CONSUMER.MSG.NEXT." + streamOf(s.key) + "." + consumerName
	return p, s.nc.PublishRequest(subject, p.reply, []byte(request))
}

// answer takes the answer to a request. Each request has one, so that no pull waits
// without a request as long as each answer ends a pull.
func (s *Source) answer(msg *nats.Msg) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.pulls, func(p *pull) bool { return p.reply == msg.Subject })
	switch {
	case len(s.pulls) == 0 && isLease(msg):
		_ = s.nc.Publish(msg.Reply, []byte("-NAK"))
	case len(s.pulls) > 0:
		at = max(at, 0)
		s.pulls[at].got <- msg
		s.pulls = slices.Delete(s.pulls, at, at+1)
	}
}

// abandon is called when nobody waits any more. It returns the answer that came at the
// last moment, or nil.
func (p *pull) abandon() *nats.Msg {
	s := p.source
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := slices.Index(s.pulls, p); at >= 0 {
		s.pulls = slices.Delete(s.pulls, at, at+1)
	}
	select {
	case msg := <-p.got:
		return msg
	default:
		return nil
	}
}

func isLease(msg *nats.Msg) bool { return msg.Header.Get("Status") == "" }

// errGone means that the server has no such queue.
var errGone = errors.New("the queue is gone")

// Take implements queue.Source.
func (s *Source) Take(ctx context.Context) (queue.Taken, error) {
	for {
		closing := false
		select {
		case <-s.closing:
			closing = true
		default:
		}
		msg, err := s.pull(ctx, closing)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil && closing, errors.Is(err, errGone) && !s.own:
			return nil, queue.ErrClosed
		case errors.Is(err, errGone), errors.Is(err, nats.ErrReconnectBufExceeded):
			if err := s.pause(ctx); err != nil {
				return nil, err
			}
		case err != nil:
			return nil, fmt.Errorf("taking a lease: %w", err)
		case msg != nil:
			return s.taken(msg)
		case closing && !s.waits(ctx):
			return nil, queue.ErrClosed
		}
	}
}

// waits reports whether leases are left that nobody has taken.
func (s *Source) waits(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, adminWait)
	defer cancel()
	js, err := jetstream.New(s.nc)
	if err != nil {
		return false
	}
	consumer, err := js.Consumer(ctx, streamOf(s.key), consumerName)
	return err == nil && consumer.CachedInfo().NumPending > 0
}

func (s *Source) pause(ctx context.Context) error {
	select {
	case <-time.After(retryAfter):
	case <-s.closing:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// pull asks the server for one lease, and returns nil if there was none in time.
// A closing queue does not wait.
func (s *Source) pull(ctx context.Context, closing bool) (*nats.Msg, error) {
	wait, wake := pullFor, s.closing
	if end, ok := ctx.Deadline(); ok {
		wait = max(min(wait, time.Until(end)), time.Millisecond)
	}
	if closing {
		wait, wake = 0, nil
	}
	p, err := s.ask(wait)
	if err != nil {
		return nil, err
	}
	msg := p.wait(ctx, wait, wake)
	switch {
	case msg == nil:
		return nil, ctx.Err()
	case isLease(msg):
		return msg, nil
	}
	switch status := msg.Header.Get("Status"); {
	case status == "404", status == "408", status == "409" && !strings.Contains(msg.Header.Get("Description"), "Deleted"):
		return nil, ctx.Err()
	}
	return nil, errGone
}

// wait returns the answer, or nil if there is none in time. It waits for the server's word
// that the request has ended: a request of which only its taker knows that would be given
// leases, and where many takers wait in vain, no others.
func (p *pull) wait(ctx context.Context, wait time.Duration, wake <-chan struct{}) *nats.Msg {
	deadline := time.NewTimer(wait + answerAfter) // the server may have been started again
	defer deadline.Stop()
	ended := ctx.Done()
	for {
		select {
		case msg := <-p.got:
			return msg
		case <-ended:
			if ctx.Err() != context.DeadlineExceeded {
				return p.abandon()
			}
			ended = nil // so has the request, or it soon has
		case <-deadline.C:
			return p.abandon()
		case <-wake:
			return p.abandon()
		}
	}
}

// taken reads a lease and keeps it.
func (s *Source) taken(msg *nats.Msg) (queue.Taken, error) {
	t := &taken{source: s, reply: msg.Reply}
	if err := json.Unmarshal(msg.Data, &t.lease); err != nil || len(t.lease.Jobs) == 0 {
		return nil, fmt.Errorf("%s is no lease of this version of thera (%w)", msg.Subject, err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.beat = time.AfterFunc(s.wait/3, t.extend)
	return t, nil
}

// taken is a lease of a Source.
type taken struct {
	source *Source
	lease  queue.Lease
	reply  string

	mu   sync.Mutex
	over bool
	beat *time.Timer
}

// Lease implements queue.Taken.
func (t *taken) Lease() queue.Lease { return t.lease }

// extend tells the server that the lease is still being played.
func (t *taken) extend() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over || t.source.nc.IsClosed() {
		return
	}
	_ = t.source.nc.Publish(t.reply, []byte("+WPI")) // if it does not arrive, the next one does, or the lease is lost
	t.beat.Reset(t.source.wait / 3)
}

// stop ends the heartbeats.
func (t *taken) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
	t.beat.Stop()
}

// Done implements queue.Taken.
func (t *taken) Done() {
	t.stop()
	_ = t.source.nc.Publish(t.reply, []byte("+ACK")) // if it does not arrive, the lease comes again and its games are doubles
}

// Return implements queue.Taken.
func (t *taken) Return() {
	t.stop()
	_ = t.source.nc.Publish(t.reply, []byte("-NAK"))
}
