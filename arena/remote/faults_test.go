package remote

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
	"thera/engine/game"
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
					_ = workers[n%2].Conn.(NATS).ForceReconnect()
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

// A worker that joins and says nothing any more, or says for ever that it is still at it, loses its pairs to others:
// the first after a while, the second when others have shown how long one takes, or have none to play.
func TestHoleHeldPairs(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(h *Host)
		slots  int
		still  bool
		said   string
	}{
		"silent":      {func(h *Host) { h.Wait = time.Second }, 2, false, "worker mallory is silent: its pairs go to others"},
		"still at it": {func(h *Host) { h.Wait, h.spare = time.Minute, time.Second }, 2, true, "worker mallory has not played a pair after "},
		"all pairs":   {func(h *Host) { h.Wait, h.spare = time.Minute, time.Second }, 5, true, "worker mallory has not played a pair after "},
	} {
		t.Run(name, func(t *testing.T) {
			tb := newTable(t, 5)
			tb.change = tt.change
			called, _ := mallory(t, tb, tt.slots, tt.still)
			go func() {
				for range tt.slots {
					<-called
				}
				tb.worker("honest", 1, nil)
			}()
			tb.same(0)
			if said := tb.said(); !strings.Contains(said, tt.said) || strings.Contains(said, "refused") || tb.by()["honest"] != 10 {
				t.Errorf("played by %v, said:\n%s", tb.by(), said)
			}
		})
	}
}

// A pair that a worker had for too long may be a long one: whoever has it next may have it for twice as long.
func TestHoleALongPair(t *testing.T) {
	tb := newTable(t, 100)
	tb.change = func(h *Host) { h.Wait, h.spare = 4*time.Second, time.Second }
	held := regexp.MustCompile(`worker mallory has not played a pair after (\S+):`)
	gone, games := make(chan struct{}), 0
	_, stop := tb.worker("honest", 1, func(*arena.Game) error {
		if games++; games > 2 {
			<-gone
		}
		return nil
	})
	ctx, end := context.WithCancel(t.Context())
	go func() { // one pair is played, and then mallory is alone
		defer end()
		for range 2 {
			<-tb.seen
		}
		stop()
		close(gone)
		tb.says("worker honest has left")
		_, join := mallory(t, tb, 1, true)
		for len(held.FindAllString(tb.said(), -1)) < 2 {
			join()
			time.Sleep(10 * time.Millisecond)
		}
	}()
	_, _ = tb.run(ctx, 0)
	times := held.FindAllStringSubmatch(tb.said(), -1)
	if len(times) < 2 {
		t.Fatalf("said:\n%s", tb.said())
	}
	if took, err := time.ParseDuration(times[1][1]); err != nil || took < 2*time.Second {
		t.Errorf("the second time it had the pair for %v, %v; said:\n%s", took, err, tb.said())
	}
}

// mallory is a worker that joins and plays nothing. It says nothing any more, or that it is still at its pairs.
// What it is called for is sent to called. It joins a run when the host says that there is one, and by join.
func mallory(t *testing.T, tb *table, slots int, still bool) (called <-chan struct{}, join func()) {
	nc, calls := dial(t, "nats://"+tb.server.Address(), "mallory"), make(chan struct{}, 1000)
	joined := false
	_, err := nc.Subscribe(callSubject("mallory", "s", "*"), func(msg *nats.Msg) {
		switch {
		case lastWord(msg.Subject) == "join" && (still || !joined):
			joined = true
			respond(NATS{nc}, msg, "", nil)
			return
		case still:
			respond(NATS{nc}, msg, stateStill, nil)
		}
		calls <- struct{}{}
	})
	join = func() {
		_ = nc.Publish(helloSubject("mallory"), arena.JSON(hello{Version: version, Start: "s", Slots: slots}))
	}
	_, failed := nc.Subscribe(runsSubject, func(*nats.Msg) { join() })
	gametest.OK(t, errors.Join(err, failed, nc.Flush()))
	return calls, join
}

// A run that is interrupted ends without the pairs of a worker that is no longer connected.
func TestInterruptedWithoutAWorker(t *testing.T) {
	tb := newTable(t, 5)
	tb.change = func(h *Host) { h.Wait = time.Hour }
	nc := dial(t, "nats://"+tb.server.Address(), "cut")
	last, interrupt := context.WithCancel(t.Context())
	tb.last = last
	tb.workerOn(nc, "cut", 2, func(*arena.Game) error {
		nc.Close()
		interrupt()
		return errors.New("the machine is gone")
	})
	if _, err := tb.run(t.Context(), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("the run ended with %v", err)
	}
	if said := tb.said(); !strings.Contains(said, "worker cut cannot be reached") {
		t.Errorf("said:\n%s", said)
	}
}

// Nor does it wait for one that is connected and does not answer.
func TestInterruptedWithASilentWorker(t *testing.T) {
	tb := newTable(t, 5)
	tb.change = func(h *Host) { h.Wait = 4 * time.Second }
	called, _ := mallory(t, tb, 1, false)
	last, interrupt := context.WithCancel(t.Context())
	tb.last = last
	go func() {
		<-called
		interrupt()
	}()
	if _, err := tb.run(t.Context(), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("the run ended with %v", err)
	}
	if said := tb.said(); !strings.Contains(said, "worker mallory cannot be reached, and the run was interrupted") {
		t.Errorf("said:\n%s", said)
	}
}

// A host that calls before it has what it called for first ends no worker.
func TestHoleAPairBeforeItsRun(t *testing.T) {
	tb := newTable(t, 1)
	w, ready := &Worker{Name: "w", Slots: 1, runs: map[string]*serving{}}, make(chan struct{})
	s := &serving{Worker: w, key: "k", joined: &task{done: ready}}
	w.Conn, w.runs["k"] = NATS{dial(t, "nats://"+tb.server.Address(), "w")}, s
	for _, s.joined.err = range []error{nil, errors.New("it cannot be played here")} {
		w.called(t.Context(), &nats.Msg{Subject: callSubject("w", "s", "play"), Data: arena.JSON(order{Key: "k", Pair: "p", Jobs: []arena.Job{{ID: "p"}}})})
		if len(s.pairs) > 0 {
			t.Errorf("%v: it plays", s.joined.err)
		}
		if s.joined.err == nil {
			close(ready)
		}
	}
}

// A machine that stalls again and again in one pair ends no run, however much it has played before.
func TestHoleStallsEndNoRun(t *testing.T) {
	tb := newTable(t, 120)
	tb.worker("busy", 1, func(rec *arena.Game) error {
		if rec.Pair == 100 && rec.Leg == 0 {
			accuse(rec)
			rec.Source, rec.Outcome, rec.Seconds = arena.Stalled, game.Outcome{Reason: "stalled"}, 61
			rec.Fault = &game.Fault{Kind: game.FaultTimeout}
		}
		return nil
	})
	go func() {
		tb.says("worker busy is expelled")
		tb.worker("honest", 1, nil)
	}()
	tb.same(0)
}

// An answer for which there is no room is asked again.
func TestHoleAnswersThatWait(t *testing.T) {
	tb := newTable(t, 3)
	tb.change = func(h *Host) {
		h.Wait = 2 * time.Second
		h.came.Store(mostCame)
	}
	spy := dial(t, "nats://"+tb.server.Address(), "spy")
	calls := map[string]int{}
	full := true
	if _, err := spy.Subscribe(callSubject("w", "*", "play"), func(msg *nats.Msg) {
		var o order
		if err := json.Unmarshal(msg.Data, &o); err != nil {
			t.Error(err)
		}
		if calls[o.Call]++; calls[o.Call] == 3 && full {
			full = false
			tb.playing().came.Add(-mostCame)
		}
	}); err != nil {
		t.Fatal(err)
	}
	gametest.OK(t, spy.Flush())
	tb.worker("w", 1, nil)
	tb.same(0)
	if n := tb.playing().came.Load(); n != 0 {
		t.Errorf("%d bytes are still counted", n)
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
