package session

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/arena/tournament"
	"thera/engine/gametest"
)

// elsewhere is a Remote whose workers are goroutines. act does with a pair what a worker does:
// it plays its games and hands them in, or not.
type elsewhere struct {
	slots   int
	plan    *arena.Plan
	workers *arenatest.Workers
	run     *Run
	act     func(ctx context.Context, n int, p *Pair, play func() []*arena.Game, run *Run)
}

func (e *elsewhere) Open(_ context.Context, run *Run) (map[string]string, error) {
	e.run = run
	return nil, nil
}

func (e *elsewhere) Serve(ctx context.Context) error {
	var all sync.WaitGroup
	var n atomic.Int64
	e.run.Join("worker", e.slots, nil)
	defer e.run.Leave("worker")
	for slot := range e.slots {
		all.Go(func() {
			w := e.workers.New(slot)
			defer w.Close()
			for {
				p, err := e.run.Take(ctx, "worker")
				if err != nil {
					return
				}
				play := func() []*arena.Game {
					recs, err := PlayPair(ctx, e.plan, w, p.Jobs, nil)
					if err != nil && ctx.Err() == nil {
						panic(err)
					}
					return recs
				}
				e.act(ctx, int(n.Add(1)), p, play, e.run)
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
	for _, slots := range []int{0, 1} {
		store, plan := arenatest.NewStore(), planOf(3, 10, 1)
		workers := &arenatest.Workers{Strength: strengths(), Before: stalling(1, func(job arena.Job) bool { return job.Leg == 1 && job.Pair == 7 && job.Pairing[1] == "b" })}
		remote := &elsewhere{slots: 2, plan: plan, workers: workers}
		remote.act = func(ctx context.Context, n int, p *Pair, play func() []*arena.Game, run *Run) {
			if n%5 == 0 { // it disappears
				run.Return(p)
				return
			}
			recs := play()
			for range 1 + n%2 {
				if err := run.Put(ctx, p, recs); err != nil {
					t.Error(err)
				}
			}
		}
		d := &Runner{Plan: plan, Store: store, Worker: workers.New, Remote: remote, Slots: slots}
		result, err := d.Run(t.Context())
		gametest.OK(t, err)
		if diff := cmp.Diff(whole.Games(), store.Games()); diff != "" {
			t.Error(diff)
		}
		if result.Run.Played != 60 || result.Counted != 60 || result.Voided.Pairs > 1 {
			t.Errorf("%d played, %d count, %+v", result.Run.Played, result.Counted, result.Voided)
		}
	}
}

// Games of a worker are excluded while they, and others, are stored: the run ends with those
// of the others, each once, and knows what is stored.
func TestGamesAreExcludedWhileTheRunGoesOn(t *testing.T) {
	whole := arenatest.NewStore()
	runAll(t, planOf(3, 20, 2), whole, &arenatest.Workers{Strength: strengths()})
	for range 30 {
		store, plan := arenatest.NewStore(), planOf(3, 20, 1)
		workers := &arenatest.Workers{Strength: strengths()}
		remote := &elsewhere{slots: 4, plan: plan, workers: workers}
		var out atomic.Bool
		remote.act = func(ctx context.Context, n int, p *Pair, play func() []*arena.Game, run *Run) {
			recs := play()
			lies := n%2 == 0 && !out.Load()
			for _, rec := range recs {
				rec.By = &arena.By{Worker: "honest"}
				if lies {
					rec.By = &arena.By{Worker: "liar"}
					rec.Moves = rec.Moves[:1]
				}
			}
			if !run.Hold() { // the last pair could be the last one
				t.Error("the run has ended without this pair")
			}
			defer run.Release()
			if err := run.Put(ctx, p, recs); err != nil {
				t.Error(err)
			}
			if lies && n%7 == 0 {
				if err := run.Exclude("liar", p.All, "a pair"); err != nil {
					t.Error(err)
				}
			}
			if n >= 30 && out.CompareAndSwap(false, true) {
				if err := run.Exclude("liar", nil, "all"); err != nil {
					t.Error(err)
				}
			}
		}
		result, err := (&Runner{Plan: plan, Store: store, Worker: workers.New, Remote: remote}).Run(t.Context())
		gametest.OK(t, err)
		if diff := cmp.Diff(whole.Games(), store.Games()); diff != "" || result.Counted != 120 || result.Run.Games != 120 {
			t.Fatalf("%d count, %d played: %s", result.Counted, result.Run.Played, diff)
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
	remote.act = func(ctx context.Context, _ int, p *Pair, play func() []*arena.Game, run *Run) {
		if err := run.Put(ctx, p, play()); errors.Is(err, full) {
			refused = true
		}
	}
	if _, err := (&Runner{Plan: plan, Store: store, Remote: remote}).Run(t.Context()); !errors.Is(err, full) || !refused || len(store.Games()) > 0 {
		t.Errorf("err = %v, refused: %v", err, refused)
	}
}

// begun returns a run that nobody plays yet.
func begun(t *testing.T, plan *arena.Plan, slots int) *Run {
	t.Helper()
	director, err := tournament.New(plan)
	gametest.OK(t, err)
	return &Run{
		Runner: &Runner{Plan: plan, Slots: slots, Last: context.Background()}, director: director, ids: map[[2]string]arena.Identity{}, open: map[int]*Pair{}, workers: map[string]int{},
		claims: map[string]string{}, out: map[string]bool{}, changed: make(chan struct{}), cancel: func() {}, begun: time.Now(),
	}
}

// Who may play an audit of a pair of lab1, in a run with slots on this machine and without.
func TestWhoPlaysAudits(t *testing.T) {
	for _, tt := range []struct {
		name    string
		slots   int
		workers []string
		here    bool    // only this machine
		want    [2]bool // this machine, lab2
	}{
		{"others are there", 1, []string{"lab1", "lab2"}, false, [2]bool{true, true}},
		{"no slot", 0, []string{"lab1", "lab2"}, false, [2]bool{false, true}},
		{"nobody else", 0, []string{"lab1"}, false, [2]bool{true, true}},
		{"this machine decides", 1, []string{"lab1", "lab2"}, true, [2]bool{true, false}},
		{"without a slot", 0, []string{"lab1", "lab2"}, true, [2]bool{true, false}},
	} {
		r := begun(t, planOf(2, 1, 1), tt.slots)
		for _, name := range tt.workers {
			r.Join(name, 1, nil)
		}
		p := &Pair{Of: "lab1", Here: tt.here, Audit: func(string, []*arena.Game) {}}
		if got := [2]bool{r.may(p, ""), r.may(p, "lab2")}; got != tt.want || r.may(p, "lab1") {
			t.Errorf("%s: %v, want %v, and never itself", tt.name, got, tt.want)
		}
	}
}

// A pair is kept for a worker that says that it has played it, and not for ever.
func TestClaimsEnd(t *testing.T) {
	r := begun(t, planOf(2, 1, 1), 0)
	r.Join("lab1", 1, []string{"x"})
	p := &Pair{All: []string{"x"}}
	if r.may(p, "lab2") || !r.may(p, "lab1") {
		t.Error("the pair is not kept for who claims it")
	}
	r.begun = time.Now().Add(-time.Hour)
	if !r.may(p, "lab2") {
		t.Error("the pair is kept for ever")
	}
}

// A pair that a worker had for too long goes to others, if there are any that had it not.
func TestSlowPairsGoToOthers(t *testing.T) {
	for _, tt := range []struct {
		workers, slow, of string
		slots             int
		want              bool
	}{
		{workers: "a b", slow: "a", want: false},
		{workers: "a", slow: "a", want: true},
		{workers: "a b", slow: "a b", want: true},
		{workers: "a b", slow: "b", want: true},
		{workers: "a b", slow: "a", of: "b", want: false}, // this machine plays it
		{workers: "a", slow: "a", slots: 1, want: false},
	} {
		r := begun(t, planOf(2, 1, 1), tt.slots)
		for _, name := range strings.Fields(tt.workers) {
			r.Join(name, 1, nil)
		}
		p := &Pair{Slow: strings.Fields(tt.slow), Of: tt.of, All: []string{"x"}}
		if tt.of != "" {
			p.Audit = func(string, []*arena.Game) {}
		}
		if got := r.may(p, "a"); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// A run that goes on without workers says which audits are left.
func TestAuditsThatAreLeft(t *testing.T) {
	store, watch := arenatest.NewStore(), &watcher{}
	for _, i := range []arena.Incident{
		{Worker: "w", Kind: arena.AuditDue, Game: "one"},
		{Worker: "w", Kind: arena.AuditDue, Game: "two"},
		{Worker: "w", Kind: arena.AuditEqual, Game: "one"},
	} {
		gametest.OK(t, store.Incident(t.Context(), 1, i))
	}
	d := &Runner{Plan: planOf(2, 1, 1), Store: store, Worker: (&arenatest.Workers{}).New, Watcher: watch}
	if _, err := d.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if text := watch.events[1].Text; !strings.HasPrefix(text, "1 audit not played: two of worker w (") {
		t.Errorf("said %q", text)
	}
}
