package remote

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/arena/session"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// table is a server, a run and its store.
type table struct {
	t      testing.TB
	server *Server
	plan   *arena.Plan
	store  *arenatest.Store
	host   *Host
	change func(h *Host)
	last   context.Context             // of the run; may be nil
	other  map[string]map[string]int   // strengths of engines that are others than they should be, by worker
	after  func(rec *arena.Game) error // what its slots do after each game; may be nil

	mu     sync.Mutex
	events []arena.Event
	seen   chan struct{} // a game has finished
	all    sync.WaitGroup

	workers context.Context
}

func newTable(t testing.TB, rounds int) *table {
	server, err := Serve("127.0.0.1:0", nil)
	gametest.OK(t, err)
	tb := &table{t: t, server: server, plan: planOf(rounds), store: arenatest.NewStore(), seen: make(chan struct{}, 1<<20)}
	ctx, stop := context.WithCancel(context.Background())
	tb.workers = ctx // a worker may come when the test ends
	t.Cleanup(func() {
		stop()
		tb.all.Wait()
		server.Close()
	})
	return tb
}

func planOf(rounds int) *arena.Plan {
	plan := &arena.Plan{
		Name: "test", Game: nim.New(), Seed: 1, Concurrency: 1,
		Format:   arena.Format{Name: "round-robin", Rounds: rounds, Pairs: true},
		Openings: arena.Openings{RandomPlies: 3, Repeat: true},
		Limit:    arena.Limit{Nodes: 1},
	}
	for _, name := range []string{"a", "b"} {
		plan.Engines = append(plan.Engines, arena.EngineSpec{Name: name, OnFault: arena.FaultForfeit})
	}
	return plan
}

func strengths() map[string]int { return map[string]int{"a": 90, "b": 40} }

// Event implements arena.Watcher.
func (tb *table) Event(e arena.Event) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.events = append(tb.events, e)
	if e.Kind == arena.GameFinished {
		tb.seen <- struct{}{}
	}
}

// said are the warnings of the run.
func (tb *table) said() string {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	var lines []string
	for _, e := range tb.events {
		if e.Kind == arena.Warned {
			lines = append(lines, e.Text)
		}
	}
	return strings.Join(lines, "\n")
}

// run plays the run on its slots and on workers.
func (tb *table) run(ctx context.Context, slots int) (*arena.Summary, error) {
	nc, err := tb.server.Connect()
	gametest.OK(tb.t, err)
	defer nc.Close()
	host := &Host{Conn: NATS{nc}, Home: "here", Wait: time.Minute}
	if tb.change != nil {
		tb.change(host)
	}
	tb.mu.Lock()
	tb.host = host
	tb.mu.Unlock()
	workers := &arenatest.Workers{Strength: strengths()}
	d := &session.Runner{
		Plan: tb.plan, Store: tb.store, Worker: func(slot int) arena.Worker { return liar{workers.New(slot), tb.after} },
		Remote: host, Slots: slots, Watcher: tb, Last: tb.last,
	}
	return d.Run(ctx)
}

// playing is the host, for another goroutine when a worker plays: the race detector does not know
// that what comes over the network comes later.
func (tb *table) playing() *Host {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.host.mu.Lock()
	defer tb.host.mu.Unlock()
	return tb.host
}

// strengthOf is how strong the engines are that a worker has.
func (tb *table) strengthOf(name string) map[string]int {
	if tb.other[name] != nil {
		return tb.other[name]
	}
	return strengths()
}

// worker is one that plays until stop; its games go through lie.
func (tb *table) worker(name string, slots int, lie func(rec *arena.Game) error) (w *Worker, stop func()) {
	return tb.workerAt("nats://"+tb.server.Address(), name, slots, lie)
}

func (tb *table) workerAt(url, name string, slots int, lie func(rec *arena.Game) error) (w *Worker, stop func()) {
	return tb.workerOn(dial(tb.t, url, name, nats.MaxReconnects(-1), nats.ReconnectWait(20*time.Millisecond), nats.RetryOnFailedConnect(true)), name, slots, lie)
}

// dial connects a worker to a server that wants no keys. The machine may be busy.
func dial(t testing.TB, url, name string, more ...nats.Option) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(url, append([]nats.Option{nats.CustomInboxPrefix(Inbox(name)), nats.Timeout(time.Minute)}, more...)...)
	gametest.OK(t, err)
	t.Cleanup(nc.Close)
	return nc
}

// says waits until the run has said something.
func (tb *table) says(words string) {
	for !strings.Contains(tb.said(), words) {
		time.Sleep(time.Millisecond)
	}
}

// workerOn closes the connection at its end.
func (tb *table) workerOn(nc *nats.Conn, name string, slots int, lie func(rec *arena.Game) error) (w *Worker, stop func()) {
	workers := &arenatest.Workers{Strength: tb.strengthOf(name)}
	w = &Worker{
		Conn: NATS{nc}, Name: name, Slots: slots, Say: func(text string) { tb.t.Log(name + ": " + text) },
		Prepare: func(info *arena.RunInfo, engines []arena.EngineSpec, _ Fetch) (*Prepared, error) {
			if info.Name != tb.plan.Name || len(engines) != 2 {
				return nil, fmt.Errorf("another run: %+v, %v", info, engines)
			}
			plan := info.PlanOf(nim.New())
			plan.Engines = engines
			return &Prepared{Plan: plan, Worker: func(slot int) arena.Worker {
				return liar{workers.New(slot), lie}
			}}, nil
		},
	}
	ctx, cancel := context.WithCancel(tb.workers)
	tb.all.Go(func() {
		defer nc.Close()
		if err := w.Run(ctx); err != nil && ctx.Err() == nil { // one that comes when all is over has no connection
			tb.t.Error(err)
		}
	})
	tb.t.Cleanup(cancel)
	return w, cancel
}

// liar is a worker whose games are not what they are.
type liar struct {
	arena.Worker
	lie func(rec *arena.Game) error
}

func (l liar) Play(ctx context.Context, job arena.Job, start game.Position) (*arena.Game, error) {
	rec, err := l.Worker.Play(ctx, job, start)
	if err == nil && l.lie != nil {
		err = l.lie(rec)
	}
	return rec, err
}

// same plays the run on its slots and on workers, and wants the games of a run on this machine
// alone.
func (tb *table) same(slots int) *arena.Summary {
	tb.t.Helper()
	sum, err := tb.run(tb.t.Context(), slots)
	gametest.OK(tb.t, err)
	plan, store := *tb.plan, arenatest.NewStore()
	if _, err := (&session.Runner{Plan: &plan, Store: store, Worker: (&arenatest.Workers{Strength: strengths()}).New}).Run(tb.t.Context()); err != nil {
		tb.t.Fatal(err)
	}
	if diff := cmp.Diff(store.Games(), tb.store.Games()); diff != "" {
		tb.t.Errorf("%s; said:\n%s", diff, tb.said())
	}
	return sum
}

// by are the games that workers, or "here", have played.
func (tb *table) by() map[string]int {
	by := map[string]int{}
	for _, rec := range tb.store.Records() {
		if rec.By == nil {
			by["here"]++
		} else {
			by[rec.By.Worker]++
		}
	}
	return by
}

// accuse says that the seat to move after the first move played an illegal one.
func accuse(rec *arena.Game) {
	rec.Moves, rec.Plies = rec.Moves[:1], rec.Plies[:1]
	rec.Source, rec.Blamed = arena.Faulted, rec.Plies[0].Seat.Other()
	rec.Fault = &game.Fault{Kind: game.FaultIllegal, Detail: "1: it is not allowed"}
	rec.Outcome = game.Outcome{Winner: rec.Plies[0].Seat, Reason: rec.Fault.Error()}
}

// stayAfterFirst is what a worker does after each game: after its first one it says that it
// plays, and waits until release is closed.
func stayAfterFirst() (after func(*arena.Game) error, playing, release chan struct{}) {
	playing, release = make(chan struct{}), make(chan struct{})
	first := true
	return func(*arena.Game) error {
		if first {
			first = false
			close(playing)
			<-release
		}
		return nil
	}, playing, release
}
