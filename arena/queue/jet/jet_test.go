package jet

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"thera/arena"
	"thera/arena/queue"
	"thera/arena/queue/queuetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func serve(t *testing.T) *Server {
	t.Helper()
	s, err := Serve("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// connect is a connection over the network.
func connect(t *testing.T, s *Server) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect("nats://"+s.Address(), nats.MaxReconnects(-1), nats.ReconnectWait(10*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

func open(t *testing.T, s *Server, wait time.Duration) *Queue {
	t.Helper()
	nc, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	q, err := Open(t.Context(), nc, "k1", wait)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func join(t *testing.T, nc *nats.Conn, wait time.Duration) *Source {
	s := Join(nc, "k1", wait)
	t.Cleanup(s.Leave)
	return s
}

func TestConformance(t *testing.T) {
	for _, gone := range []string{"silent", "disconnected"} {
		t.Run(gone, func(t *testing.T) {
			queuetest.Conformance(t, func(t *testing.T, hasty bool) queuetest.Bench {
				wait := time.Minute
				if hasty {
					wait = 500 * time.Millisecond
				}
				s := serve(t)
				return queuetest.Bench{Queue: open(t, s, wait), Taker: func() (queue.Source, func(queue.Taken)) {
					nc := connect(t, s)
					return join(t, nc, wait), func(l queue.Taken) {
						if l.(*taken).stop(); gone == "disconnected" {
							nc.Close()
						}
					}
				}}
			})
		})
	}
}

func lease(place int) queue.Lease {
	id := fmt.Sprint("job", place)
	return queue.Lease{Place: place, Jobs: []arena.Job{{ID: id}}, Pair: []string{id}}
}

// A taker that plays longer than the wait keeps its lease.
func TestHeartbeats(t *testing.T) {
	const wait = 3 * time.Second // of which a busy machine takes no third
	s := serve(t)
	q := open(t, s, wait)
	if err := q.Offer(t.Context(), lease(1)); err != nil {
		t.Fatal(err)
	}
	nc := connect(t, s)
	l, err := join(t, nc, wait).Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), wait+wait/2)
	defer cancel()
	if again, err := q.Take(ctx); err == nil {
		t.Errorf("taken twice: %v", again.Lease())
	}
	l.Done()
}

// More leases may be taken, and more takers may wait, than the defaults of JetStream
// allow.
func TestLimits(t *testing.T) {
	s := serve(t)
	q := open(t, s, time.Minute)
	nc := connect(t, s)
	source := join(t, nc, time.Minute)
	const n = 1200
	got := make(chan int, n)
	for range n {
		go func() {
			l, err := source.Take(t.Context())
			if err != nil {
				t.Error(err)
				got <- -1
				return
			}
			l.(*taken).stop()
			got <- l.Lease().Place
		}()
	}
	for i := range n {
		if err := q.Offer(t.Context(), lease(i)); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[int]bool{}
	for range n {
		place := <-got
		if seen[place] {
			t.Errorf("lease %d was taken twice", place)
		}
		seen[place] = true
	}
}

// An offer whose answer was lost is repeated: it is stored once.
func TestOfferTwice(t *testing.T) {
	s := serve(t)
	q := open(t, s, time.Minute)
	for range 2 {
		if err := q.Offer(t.Context(), lease(1)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := q.Take(t.Context()); err != nil {
		t.Fatal(err)
	}
	q.Close()
	if l, err := q.Take(t.Context()); err != queue.ErrClosed {
		t.Errorf("taken twice: %v, %v", l, err)
	}
}

// A stream that the server lost is made again, and a runner that begins deletes what
// an earlier one left.
func TestLostStream(t *testing.T) {
	s := serve(t)
	q := open(t, s, time.Minute)
	nc := connect(t, s)
	source := join(t, nc, time.Minute)
	offer := func(place int) {
		t.Helper()
		if err := q.Offer(t.Context(), lease(place)); err != nil {
			t.Fatal(err)
		}
	}
	offer(1)
	if err := q.Delete(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := source.Take(t.Context()); err != queue.ErrClosed {
		t.Errorf("without a stream: %v", err)
	}
	if held, err := q.Held(t.Context()); err != nil || len(held) > 0 {
		t.Errorf("held %v, %v", held, err)
	}
	offer(2)
	if l, err := source.Take(t.Context()); err != nil || l.Lease().Place != 2 {
		t.Errorf("%v, %v", l, err)
	}
	if err := q.Delete(t.Context()); err != nil {
		t.Fatal(err)
	}
	offer(3)
	if held, err := q.Held(t.Context()); err != nil || !held[3] || len(held) != 1 {
		t.Errorf("held %v, %v", held, err)
	}
	if again := open(t, s, time.Minute); again != nil {
		if held, err := again.Held(t.Context()); err != nil || len(held) > 0 {
			t.Errorf("a new runner finds %v, %v", held, err)
		}
	}
}

func TestAddresses(t *testing.T) {
	s := serve(t)
	for _, address := range []string{"", "4222", "127.0.0.1:x", "127.0.0.1:70000", s.Address()} {
		if other, err := Serve(address); err == nil {
			t.Errorf("%q is served at %s", address, other.Address())
			_ = other.Close()
		}
	}
}

// A Take that has ended leaves no request at the server, which would be given the next
// lease.
func TestTakesThatEnded(t *testing.T) {
	s := serve(t)
	q := open(t, s, time.Minute)
	source := join(t, connect(t, s), time.Minute)
	for range 10 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		if l, err := source.Take(ctx); err == nil {
			t.Fatalf("took %v", l.Lease())
		}
		cancel()
	}
	consumer, err := q.js.Consumer(t.Context(), streamOf(q.key), consumerName)
	if err != nil {
		t.Fatal(err)
	}
	if n := consumer.CachedInfo().NumWaiting; n > 0 {
		t.Errorf("%d requests wait", n)
	}
}
