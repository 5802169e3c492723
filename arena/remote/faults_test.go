package remote

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"thera/arena"
	"thera/engine/gametest"
)

// Through a network whose connections end all the time, workers play what a local run
// plays.
func TestLongPartitions(t *testing.T) {
	rounds := 20
	if gametest.Long(t) {
		rounds = 1000
	}
	tb := newTable(t, rounds)
	tb.change = func(h *Host) { h.Wait = 2 * time.Second }
	var workers []*Worker
	for _, name := range []string{"w1", "w2"} {
		w, _ := tb.worker(name, 2, nil)
		workers = append(workers, w)
	}
	ctx, stop := context.WithCancel(t.Context())
	var cuts sync.WaitGroup
	cuts.Go(func() {
		for n := 0; ctx.Err() == nil; n++ { // after every few games
			select {
			case <-tb.seen:
				if n%7 == 0 {
					_ = workers[n%2].Conn.ForceReconnect()
				}
			case <-ctx.Done():
			}
		}
	})
	result := tb.same(0)
	stop()
	cuts.Wait()
	if result.Run.Played != 2*rounds {
		t.Errorf("%d played", result.Run.Played)
	}
}

// A worker that joins and says nothing any more loses its pairs to others.
func TestASilentWorker(t *testing.T) {
	tb := newTable(t, 3)
	tb.change = func(h *Host) { h.Wait = time.Second }
	a := &attacker{Conn: dial(t, "nats://"+tb.server.Address(), "mallory")}
	begins, err := a.SubscribeSync(runsSubject)
	if err == nil {
		a.calls, err = a.SubscribeSync(callSubject("mallory", "s", "*"))
	}
	if err = errors.Join(err, a.Flush()); err != nil {
		t.Fatal(err)
	}
	go func() {
		if _, err := begins.NextMsg(time.Minute); err != nil {
			t.Error(err)
		}
		a.join(t)
		tb.says("worker mallory is silent: its pairs go to others")
		tb.worker("honest", 1, nil)
	}()
	tb.same(0)
}

// Under limits of time a machine of another speed is refused, unless the run says that
// it does not matter. Where the host plays nothing, the first worker's counts.
func TestSpeed(t *testing.T) {
	for _, tt := range []struct {
		own, first, speed float64
		ok                bool
	}{{0, 0, 1, true}, {100, 0, 109, true}, {100, 0, 91, true}, {100, 0, 89, false}, {100, 0, 112, false}, {100, 0, 0, false}, {0, 100, 89, false}, {0, 100, 95, true}, {100, 91, 105, true}} {
		timed, mixed := planOf(1), planOf(1)
		timed.Limit = arena.Limit{Move: time.Second}
		mixed.Limit, mixed.Mixed = timed.Limit, true
		for _, plan := range []*arena.Plan{timed, mixed, planOf(1)} {
			h := &Host{Plan: plan, Speed: tt.own}
			if tt.first > 0 {
				_ = h.sameSpeed(&member{hello: hello{Speed: tt.first}})
			}
			if err := h.sameSpeed(&member{hello: hello{Speed: tt.speed}}); (err == nil) != (tt.ok || plan != timed) {
				t.Errorf("%+v: %v", tt, err)
			}
		}
	}
	if speed := Measure(2); !(speed > 0) {
		t.Errorf("a speed of %v", speed)
	}
}

// A worker that is refused for its speed says hello as often as it likes, each time as another start: that is
// one remark.
func TestHoleRefusedAgainAndAgain(t *testing.T) {
	tb := newTable(t, 2)
	tb.plan.Limit = arena.Limit{Move: time.Second}
	stay, playing, release := stayAfterFirst()
	tb.worker("honest", 1, stay)
	go func() {
		defer close(release)
		<-playing
		h := tb.playing()
		h.mu.Lock()
		h.Speed = 100
		h.mu.Unlock()
		for start := range 5 {
			err := h.heard("slow", &hello{Version: version, Start: string(rune('a' + start)), Slots: 1, Speed: 1e6})
			if err == nil || !strings.Contains(err.Error(), "its reference speed is") {
				t.Error(err)
			}
		}
	}()
	tb.same(0)
	if n := strings.Count(tb.said(), "worker slow is refused"); n != 1 {
		t.Errorf("%d remarks:\n%s", n, tb.said())
	}
}

// A host that is killed while it has games that are not stored, and started again, plays none
// of them once more: its worker has kept them.
func TestAHostThatIsKilled(t *testing.T) {
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
	tb.same(0)
	mu.Lock()
	defer mu.Unlock()
	for id, n := range played {
		if n != 1 {
			t.Errorf("game %s was played %d times", id, n)
		}
	}
}
