package remote

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/engine/gametest"
)

// proxy is a network that delays what it carries, and whose connections end.
type proxy struct {
	listen net.Listener
	to     string
	all    sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool
	over  bool
}

func newProxy(t *testing.T, to string) *proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listen: l, to: to, conns: map[net.Conn]bool{}}
	p.all.Go(p.accept)
	t.Cleanup(func() {
		p.mu.Lock()
		p.over = true
		p.mu.Unlock()
		_ = l.Close()
		p.cut()
		p.all.Wait()
	})
	return p
}

func (p *proxy) accept() {
	for {
		in, err := p.listen.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", p.to)
		if err != nil {
			_ = in.Close()
			continue
		}
		p.mu.Lock()
		over := p.over
		p.conns[in], p.conns[out] = true, true
		p.mu.Unlock()
		if over {
			p.cut()
		}
		p.all.Go(func() { p.carry(in, out) })
		p.all.Go(func() { p.carry(out, in) })
	}
}

// carry copies in small pieces, each a little late.
func (p *proxy) carry(from, to net.Conn) {
	defer to.Close()
	piece := make([]byte, 700)
	for {
		n, err := from.Read(piece)
		if n > 0 {
			time.Sleep(time.Duration(rand.IntN(300)) * time.Microsecond)
			if _, err := to.Write(piece[:n]); err != nil {
				return
			}
		}
		if err != nil {
			if err != io.EOF {
				_ = from.Close()
			}
			return
		}
	}
}

// url is where clients find the network.
func (p *proxy) url() string { return "nats://" + p.listen.Addr().String() }

// cut ends all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Close()
	}
	clear(p.conns)
}

// Through a network whose connections end all the time, workers play what a local run
// plays.
func TestLongPartitions(t *testing.T) {
	rounds := 20
	if gametest.Long(t) {
		rounds = 1000
	}
	want := local(t, rounds)
	tb := newTable(t, rounds)
	tb.change = func(h *Host) { h.Wait = 2 * time.Second }
	p := newProxy(t, tb.server.Address())
	for _, name := range []string{"w1", "w2"} {
		tb.workerAt(p.url(), name, 2, nil)
	}
	ctx, stop := context.WithCancel(t.Context())
	var cuts sync.WaitGroup
	cuts.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			select { // after every few games
			case <-tb.seen:
				if n%7 == 0 {
					p.cut()
				}
			case <-ctx.Done():
			}
		}
	})
	result, err := tb.run(t.Context(), 0)
	stop()
	cuts.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, tb.store.Games()); diff != "" || result.Run.Played != 2*rounds {
		t.Errorf("%d played: %s", result.Run.Played, diff)
	}
}

// Under limits of time a machine of another speed is refused, unless the run says that
// it does not matter.
func TestSpeed(t *testing.T) {
	timed := planOf(1)
	timed.Limit = arena.Limit{Move: time.Second}
	mixed := planOf(1)
	mixed.Limit, mixed.Mixed = timed.Limit, true
	for _, tt := range []struct {
		plan              *arena.Plan
		own, first, speed float64
		ok                bool
	}{
		{timed, 0, 0, 1, true},
		{timed, 100, 0, 109, true},
		{timed, 100, 0, 91, true},
		{timed, 100, 0, 89, false},
		{timed, 100, 0, 112, false},
		{timed, 100, 0, 0, false},
		{timed, 0, 100, 89, false},
		{timed, 0, 100, 95, true},
		{timed, 100, 91, 105, true},
		{mixed, 100, 0, 10, true},
		{planOf(1), 100, 0, 10, true},
	} {
		h := &Host{Plan: tt.plan, Speed: tt.own, members: map[string]*member{}}
		if tt.first > 0 {
			h.members["x"] = &member{name: "x", speed: tt.first}
		}
		if err := h.sameSpeed(&member{name: "w", speed: tt.speed}); (err == nil) != tt.ok {
			t.Errorf("own %v, first %v, speed %v: %v", tt.own, tt.first, tt.speed, err)
		}
	}
}

func TestMeasure(t *testing.T) {
	if speed := Measure(2); !(speed > 0) {
		t.Errorf("a speed of %v", speed)
	}
}

// A host that is killed while it has games that are not stored, and started again, plays none
// of them once more: its worker has kept them.
func TestAHostThatIsKilled(t *testing.T) {
	want := local(t, 10)
	tb := newTable(t, 10)
	var mu sync.Mutex
	played := map[string]int{}
	all := make(chan struct{})
	tb.worker("w", 3, func(rec *arena.Game) error {
		mu.Lock()
		defer mu.Unlock()
		if played[rec.ID]++; len(played) == 12 { // two pairs of each slot: the first waits to be verified
			close(all)
		}
		return nil
	})
	var killed atomic.Bool
	killed.Store(true)
	tb.store.Fail = func(rec *arena.Game) error {
		if rec != nil && killed.Load() {
			return errors.New("nothing is stored")
		}
		return nil
	}
	first := make(chan *Host, 1)
	tb.change = func(h *Host) {
		h.busy = make(chan struct{})
		first <- h
	}
	ctx, kill := context.WithCancel(t.Context())
	go func() {
		host := <-first
		<-all
		host.Conn.Close()
		kill()
		for {
			select {
			case host.busy <- struct{}{}: // a verification that ends
			case <-host.busy: // one that begins
			case <-t.Context().Done():
				return
			}
		}
	}()
	if _, err := tb.run(ctx, 0); err == nil || len(tb.store.Games()) > 0 {
		t.Fatalf("%v, %d games", err, len(tb.store.Games()))
	}
	killed.Store(false)
	tb.change = nil
	if _, err := tb.run(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, tb.store.Games()); diff != "" {
		t.Error(diff)
	}
	mu.Lock()
	defer mu.Unlock()
	for id, n := range played {
		if n != 1 {
			t.Errorf("game %s was played %d times", id, n)
		}
	}
}
