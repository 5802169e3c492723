package session

import (
	"context"
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

// begun returns a run that nobody plays yet.
func begun(t *testing.T, plan *arena.Plan, slots int) *Run {
	t.Helper()
	director, err := tournament.New(plan)
	gametest.OK(t, err)
	return &Run{
		Runner: &Runner{Plan: plan, Slots: slots, Last: context.Background()}, director: director,
		ids: map[[2]string]arena.Identity{}, open: map[int]*Pair{}, workers: map[string]int{}, claims: map[string]string{},
		out: map[string]bool{}, changed: make(chan struct{}), cancel: func() {}, begun: time.Now(),
	}
}

// Who may play a pair, of this machine, a, b, and c, which has not joined.
func TestWhoMayPlay(t *testing.T) {
	audited := Pair{Of: "a", Audit: func(string, []*arena.Game) {}}
	here, slow := audited, audited
	here.Here, slow.Of, slow.Slow = true, "b", []string{"a"}
	for name, tt := range map[string]struct {
		pair    Pair
		slots   int
		workers string
		claim   string
		age     time.Duration // of this start of the run
		want    string
	}{
		"this machine too":                 {slots: 1, workers: "a b", want: "- a b c"},
		"workers alone":                    {workers: "a b", want: "a b c"},
		"a claim":                          {slots: 1, workers: "a b", claim: "a", want: "a"},
		"a claim of long ago":              {slots: 1, workers: "a b", claim: "a", age: time.Hour, want: "- a b c"},
		"a claim of who was slow":          {pair: Pair{Slow: []string{"a"}}, workers: "a b", claim: "a", want: "b c"},
		"slow":                             {pair: Pair{Slow: []string{"a"}}, workers: "a b", want: "b c"},
		"slow and alone":                   {pair: Pair{Slow: []string{"a"}}, workers: "a", want: "a b c"},
		"slow beside this machine":         {pair: Pair{Slow: []string{"a"}}, slots: 1, workers: "a", want: "- b c"},
		"all are slow":                     {pair: Pair{Slow: []string{"a", "b"}}, workers: "a b", want: "a b c"},
		"an audit":                         {pair: audited, slots: 1, workers: "a b", want: "- b c"},
		"an audit without a slot":          {pair: audited, workers: "a b", want: "b c"},
		"an audit without others":          {pair: audited, workers: "a", want: "- b c"},
		"an audit of a slow one":           {pair: Pair{Of: "b", Slow: []string{"a"}, Audit: audited.Audit}, workers: "a b", want: "- c"},
		"this machine decides":             {pair: Pair{Of: "a", Here: true, Audit: audited.Audit}, slots: 1, workers: "a b", want: "-"},
		"this machine decides, as referee": {pair: Pair{Of: "a", Here: true, Audit: audited.Audit}, workers: "a b", want: "-"},
	} {
		r := begun(t, planOf(2, 1, 1), tt.slots)
		for _, worker := range strings.Fields(tt.workers) {
			r.Join(worker, 1, nil)
		}
		if tt.claim != "" {
			r.Join(tt.claim, 1, []string{"x"})
		}
		r.begun = r.begun.Add(-tt.age)
		tt.pair.All = []string{"x"}
		var may []string
		for _, who := range []string{"-", "a", "b", "c"} {
			if r.may(&tt.pair, strings.Trim(who, "-")) {
				may = append(may, who)
			}
		}
		if got := strings.Join(may, " "); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// How long a pair takes is known when one was played, or when somebody else has nothing to play: who has no slots of
// its own never has.
func TestUsual(t *testing.T) {
	for name, tt := range map[string]struct {
		slots     int
		pairs     int64
		idle, who string
		mean      time.Duration
		known     bool
	}{
		"it alone has none": {idle: "a", who: "a"},
		"somebody has none": {idle: "b", who: "a", known: true},
		"no slots":          {idle: "", who: "a"},
		"this machine":      {slots: 1, idle: "", who: "a", known: true},
		"played":            {pairs: 2, idle: "a", who: "a", mean: 3 * time.Second, known: true},
	} {
		r := begun(t, planOf(2, 1, 1), tt.slots)
		r.idle, r.pairs, r.spent = map[string]int{tt.idle: 1, "c": 0}, tt.pairs, time.Duration(3*tt.pairs)*time.Second
		if mean, known := r.Usual(tt.who); mean != tt.mean || known != tt.known {
			t.Errorf("%s: %v, %v", name, mean, known)
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
