package runner

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/arena/opening"
	"thera/arena/queue"
)

// elsewhere is a Remote whose workers are goroutines. act does with a lease what a
// worker does: it plays its games and hands them in, or not.
type elsewhere struct {
	slots   int
	plan    *arena.Plan
	workers *arenatest.Workers
	queue   *queue.Local
	act     func(ctx context.Context, n int, taken queue.Taken, play func() []*arena.Record, desk *Desk)
}

func (e *elsewhere) Slots() (workers, slots int) { return 1, e.slots }

func (e *elsewhere) Audit(string) bool { return false }

func (e *elsewhere) Audited(*arena.Record) {}

func (e *elsewhere) Busy() bool { return false }

func (e *elsewhere) Finish() {}

func (e *elsewhere) Open(context.Context, int64) (queue.Queue, error) {
	e.queue = queue.NewLocal()
	return e.queue, nil
}

func (e *elsewhere) Serve(ctx context.Context, desk *Desk) error {
	var all sync.WaitGroup
	var n atomic.Int64
	for slot := range e.slots {
		all.Go(func() {
			w := e.workers.New(slot)
			defer w.Close()
			for {
				taken, err := e.queue.Take(ctx)
				if err != nil {
					return
				}
				play := func() (recs []*arena.Record) {
					for _, job := range taken.Lease().Jobs {
						start, err := opening.Make(ctx, e.plan, job)
						if err != nil {
							panic(err)
						}
						rec, err := w.Play(ctx, job, start)
						if err != nil {
							return nil
						}
						recs = append(recs, rec)
						if rec.Source == arena.Stalled {
							break
						}
					}
					return recs
				}
				e.act(ctx, int(n.Add(1)), taken, play, desk)
			}
		})
	}
	all.Wait()
	return nil
}

// Leases that workers acknowledge without games are played again, games that come
// twice, or while somebody else plays them, are stored once, and pairs of which a
// worker says that its machine stalled are void once.
func TestWorkersElsewhere(t *testing.T) {
	whole := arenatest.NewStore()
	runAll(t, planOf(3, 10, 2), whole, &arenatest.Workers{Strength: strengths()})
	for _, own := range []int{0, 1} {
		store, plan := arenatest.NewStore(), planOf(3, 10, 1)
		workers := &arenatest.Workers{Strength: strengths(), Before: stalling(1, func(job arena.Job) bool { return job.Leg == 1 && job.Pair == 7 && job.Pairing[1] == "b" })}
		remote := &elsewhere{slots: 2, plan: plan, workers: workers}
		remote.act = func(ctx context.Context, n int, taken queue.Taken, play func() []*arena.Record, desk *Desk) {
			defer taken.Done()
			switch n % 5 {
			case 0: // acknowledges without games
				return
			case 1: // the lease goes to somebody else, and its games come nevertheless
				taken.Return()
			}
			recs := play()
			for range 1 + n%2 {
				if err := desk.Take(ctx, recs); err != nil {
					t.Error(err)
				}
			}
		}
		d := &Runner{Plan: plan, Store: store, Worker: workers.New, Remote: remote, Slots: own}
		result, err := d.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole.Games(), store.Games()); diff != "" {
			t.Error(diff)
		}
		if result.Played != 60 || result.Summary.Counted != 60 || result.Summary.Voided.Pairs > 1 {
			t.Errorf("%d played, %d count, %+v", result.Played, result.Summary.Counted, result.Summary.Voided)
		}
	}
}

// late is a Remote whose workers come after the runner has looked for them, at any moment.
type late struct {
	*elsewhere
	looks, from int
	desk        chan *Desk
}

func (l *late) Slots() (workers, slots int) {
	if l.looks++; l.looks <= l.from {
		if l.looks == l.from {
			go func() { (<-l.desk).Wake() }()
		}
		return 0, 0
	}
	return l.elsewhere.Slots()
}

func (l *late) Serve(ctx context.Context, desk *Desk) error {
	l.desk <- desk
	return l.elsewhere.Serve(ctx, desk)
}

// A run without slots of its own waits for workers.
func TestWorkersComeLate(t *testing.T) {
	for from := range 3 {
		store, plan := arenatest.NewStore(), planOf(2, 3, 1)
		workers := &arenatest.Workers{Strength: strengths()}
		remote := &late{elsewhere: &elsewhere{slots: 1, plan: plan, workers: workers}, from: from, desk: make(chan *Desk, 1)}
		remote.act = func(ctx context.Context, _ int, taken queue.Taken, play func() []*arena.Record, desk *Desk) {
			defer taken.Done()
			if err := desk.Take(ctx, play()); err != nil {
				t.Error(err)
			}
		}
		d := &Runner{Plan: plan, Store: store, Worker: workers.New, Remote: remote}
		if result, err := d.Run(t.Context()); err != nil || result.Played != 6 {
			t.Errorf("they came at look %d: %+v, %v", from, result, err)
		}
	}
}

// A game that cannot be stored is not accepted, and ends the run.
func TestAWorkersGameThatIsNotStored(t *testing.T) {
	full := errors.New("disk full")
	store, plan := arenatest.NewStore(), planOf(2, 5, 1)
	store.Fail = func(rec *arena.Record) error {
		if rec != nil {
			return full
		}
		return nil
	}
	remote := &elsewhere{slots: 1, plan: plan, workers: &arenatest.Workers{}}
	refused := false
	remote.act = func(ctx context.Context, _ int, taken queue.Taken, play func() []*arena.Record, desk *Desk) {
		if err := desk.Take(ctx, play()); errors.Is(err, full) {
			refused = true
		}
	}
	if _, err := (&Runner{Plan: plan, Store: store, Remote: remote}).Run(t.Context()); !errors.Is(err, full) || !refused || len(store.Games()) > 0 {
		t.Errorf("err = %v, refused: %v", err, refused)
	}
}
