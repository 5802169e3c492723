package session

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/arenatest"
)

// elsewhere is a Remote whose workers are goroutines. act does with a pair what a worker does:
// it plays its games and hands them in, or not.
type elsewhere struct {
	slots   int
	plan    *arena.Plan
	workers *arenatest.Workers
	desk    *Desk
	act     func(ctx context.Context, n int, p *Pair, play func() []*arena.Game, desk *Desk)
}

func (e *elsewhere) Slots() (workers, slots int) { return 1, e.slots }

func (e *elsewhere) Finished(*arena.Game) {}

func (e *elsewhere) Busy() bool { return false }

func (e *elsewhere) Open(_ context.Context, _ int64, desk *Desk) (map[string]string, error) {
	e.desk = desk
	return nil, nil
}

func (e *elsewhere) Serve(ctx context.Context) error {
	desk := e.desk
	var all sync.WaitGroup
	var n atomic.Int64
	for slot := range e.slots {
		all.Go(func() {
			w := e.workers.New(slot)
			defer w.Close()
			for {
				p, err := desk.Take(ctx, "worker")
				if err != nil {
					return
				}
				play := func() []*arena.Game {
					recs, err := PlayPair(ctx, e.plan, w, p.Jobs)
					if err != nil && ctx.Err() == nil {
						panic(err)
					}
					return recs
				}
				e.act(ctx, int(n.Add(1)), p, play, desk)
			}
		})
	}
	all.Wait()
	return nil
}

// Pairs that come back without games are played again, games that come
// twice are stored once, and pairs of which a worker says that its machine stalled are void once.
func TestWorkersElsewhere(t *testing.T) {
	whole := arenatest.NewStore()
	runAll(t, planOf(3, 10, 2), whole, &arenatest.Workers{Strength: strengths()})
	for _, own := range []int{0, 1} {
		store, plan := arenatest.NewStore(), planOf(3, 10, 1)
		workers := &arenatest.Workers{Strength: strengths(), Before: stalling(1, func(job arena.Job) bool { return job.Leg == 1 && job.Pair == 7 && job.Pairing[1] == "b" })}
		remote := &elsewhere{slots: 2, plan: plan, workers: workers}
		remote.act = func(ctx context.Context, n int, p *Pair, play func() []*arena.Game, desk *Desk) {
			if n%5 == 0 { // it disappears
				desk.Return(p)
				return
			}
			recs := play()
			for range 1 + n%2 {
				if err := desk.Store(ctx, p, recs); err != nil {
					t.Error(err)
				}
			}
		}
		d := &Runner{Plan: plan, Store: store, Worker: workers.New, Remote: remote, Slots: own}
		result, err := d.Run(t.Context())
		ok(t, err)
		if diff := cmp.Diff(whole.Games(), store.Games()); diff != "" {
			t.Error(diff)
		}
		if result.Run.Played != 60 || result.Counted != 60 || result.Voided.Pairs > 1 {
			t.Errorf("%d played, %d count, %+v", result.Run.Played, result.Counted, result.Voided)
		}
	}
}

// Games of a worker are set aside while they, and others, are stored: the run ends with those
// of the others, each once, and knows what is stored.
func TestGamesAreSetAsideWhileTheRunGoesOn(t *testing.T) {
	whole := arenatest.NewStore()
	runAll(t, planOf(3, 20, 2), whole, &arenatest.Workers{Strength: strengths()})
	for range 30 {
		store, plan := arenatest.NewStore(), planOf(3, 20, 1)
		workers := &arenatest.Workers{Strength: strengths()}
		remote := &elsewhere{slots: 4, plan: plan, workers: workers}
		var out atomic.Bool
		remote.act = func(ctx context.Context, n int, p *Pair, play func() []*arena.Game, desk *Desk) {
			recs := play()
			lies := n%2 == 0 && !out.Load()
			for _, rec := range recs {
				rec.By = &arena.By{Worker: "honest"}
				if lies {
					rec.By = &arena.By{Worker: "liar"}
					rec.Moves = rec.Moves[:1]
				}
			}
			if err := desk.Store(ctx, p, recs); err != nil {
				t.Error(err)
			}
			if lies && n < 20 {
				if err := desk.SetAside("liar", []string{recs[0].ID}, "a pair"); err != nil {
					t.Error(err)
				}
			}
			if n >= 30 && out.CompareAndSwap(false, true) {
				if err := desk.SetAside("liar", nil, "all"); err != nil {
					t.Error(err)
				}
			}
		}
		d := &Runner{Plan: plan, Store: store, Worker: workers.New, Remote: remote}
		result, err := d.Run(t.Context())
		if errors.Is(err, ErrReopened) { // a slot was so late that all others had ended
			result, err = d.Run(t.Context())
		}
		ok(t, err)
		if diff := cmp.Diff(whole.Games(), store.Games()); diff != "" || result.Counted != 120 || result.Run.Games != 120 {
			t.Fatalf("%d count, %d played: %s", result.Counted, result.Run.Played, diff)
		}
	}
}

// late is a Remote whose workers come after the runner has looked for them, at any moment.
type late struct {
	*elsewhere
	looks, from int
	serving     chan struct{}
}

func (l *late) Slots() (workers, slots int) {
	if l.looks++; l.looks <= l.from {
		if l.looks == l.from {
			go func() {
				<-l.serving
				l.desk.Wake()
			}()
		}
		return 0, 0
	}
	return l.elsewhere.Slots()
}

func (l *late) Serve(ctx context.Context) error {
	close(l.serving)
	return l.elsewhere.Serve(ctx)
}

// A run without slots of its own waits for workers.
func TestWorkersComeLate(t *testing.T) {
	for from := range 3 {
		store, plan := arenatest.NewStore(), planOf(2, 3, 1)
		workers := &arenatest.Workers{Strength: strengths()}
		remote := &late{elsewhere: &elsewhere{slots: 1, plan: plan, workers: workers}, from: from, serving: make(chan struct{})}
		remote.act = func(ctx context.Context, _ int, p *Pair, play func() []*arena.Game, desk *Desk) {
			if err := desk.Store(ctx, p, play()); err != nil {
				t.Error(err)
			}
		}
		d := &Runner{Plan: plan, Store: store, Worker: workers.New, Remote: remote}
		if result, err := d.Run(t.Context()); err != nil || result.Run.Played != 6 {
			t.Errorf("they came at look %d: %+v, %v", from, result, err)
		}
	}
}

// A game that cannot be stored is not accepted, and ends the run.
func TestAWorkersGameThatIsNotStored(t *testing.T) {
	full := errors.New("disk full")
	store, plan := arenatest.NewStore(), planOf(2, 5, 1)
	store.Fail = func(rec *arena.Game) error {
		if rec != nil {
			return full
		}
		return nil
	}
	remote := &elsewhere{slots: 1, plan: plan, workers: &arenatest.Workers{}}
	refused := false
	remote.act = func(ctx context.Context, _ int, p *Pair, play func() []*arena.Game, desk *Desk) {
		if err := desk.Store(ctx, p, play()); errors.Is(err, full) {
			refused = true
		}
	}
	if _, err := (&Runner{Plan: plan, Store: store, Remote: remote}).Run(t.Context()); !errors.Is(err, full) || !refused || len(store.Games()) > 0 {
		t.Errorf("err = %v, refused: %v", err, refused)
	}
}

// Who may play an audit of a pair of lab1.
func TestWhoPlaysAudits(t *testing.T) {
	here, worker, referee := &taker{}, &taker{who: "lab2"}, &taker{referee: true}
	for _, tt := range []struct {
		name    string
		slots   int
		workers []string
		here    bool // only this machine
		over    bool
		want    [3]bool // a slot, lab2, the referee
	}{
		{"others are there", 1, []string{"lab1", "lab2"}, false, false, [3]bool{true, true, false}},
		{"no slot", 0, []string{"lab1", "lab2"}, false, false, [3]bool{true, true, false}},
		{"nobody else", 0, []string{"lab1"}, false, false, [3]bool{true, true, true}},
		{"this machine decides", 1, []string{"lab1", "lab2"}, true, false, [3]bool{false, false, true}},
		{"the run waits for it", 1, []string{"lab1", "lab2"}, false, true, [3]bool{true, true, true}},
	} {
		q := newPairs(tt.slots)
		q.audits = tt.over
		for _, name := range tt.workers {
			q.Join(name, nil)
		}
		p := &Pair{Of: "lab1", Here: tt.here, Audit: func(string, []*arena.Game) {}}
		if got := [3]bool{q.may(p, here), q.may(p, worker), q.may(p, referee)}; got != tt.want || q.may(p, &taker{who: "lab1"}) {
			t.Errorf("%s: %v, want %v, and never itself", tt.name, got, tt.want)
		}
	}
}
