package session

import (
	"context"
	"errors"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/tournament"
)

// Runner plays one plan.
type Runner struct {
	Plan    *arena.Plan
	Store   arena.Store
	Worker  func(slot int) arena.Worker
	Watcher arena.Watcher // may be nil

	// Remote, if set, lets workers elsewhere play beside Slots slots of this process.
	// Without it there are as many slots as the plan says.
	Remote Remote
	Slots  int

	// Every makes an event of progress after each multiple of so many games, in
	// addition to those by time. 0 is none.
	Every int

	// Warnings are shown and noted with the run before the first game.
	Warnings []string
}

// StoppedError ends a run whose engine faulted under on_fault: stop, or because this machine
// stalled in too many of its pairs. To run it again is to go on.
type StoppedError struct{ text string }

func (e *StoppedError) Error() string { return e.text }

// StoreError is a failure of the store. The run ends, since further games could
// be lost.
type StoreError struct {
	Doing string
	Err   error
}

func (e *StoreError) Error() string { return e.Doing + ": " + e.Err.Error() }

// Unwrap is the store's own error.
func (e *StoreError) Unwrap() error { return e.Err }

// Run plays until the run is over, ctx ends or an error stops it. There is a summary
// in each case, once Store.Begin has succeeded. If ctx ended, the error is
// that of ctx. A run that fails before its first game is removed.
func (d *Runner) Run(ctx context.Context) (*arena.Summary, error) {
	id, was, err := d.Store.Begin(ctx, d.Plan)
	if err != nil {
		return nil, err
	}
	own, plan := *d, *d.Plan
	own.Plan, plan.Earlier = &plan, was.Earlier
	fold, err := tournament.New(&plan)
	if err != nil {
		return nil, errors.Join(err, d.Store.Abandon(context.WithoutCancel(ctx), id))
	}
	r := &run{
		Runner: &own, id: id, fold: fold, jobs: &jobs{&plan, map[[2]string]arena.Identity{}}, pairs: newPairs(d.Slots), inbox: make(chan told, 64),
		begun: time.Now(), pause: progressEvery, voids: map[int]int{}, out: map[string]string{}, stale: map[string]string{},
	}
	fold.AddAll(was.Games)
	r.kept = fold.Known()
	return r.play(ctx)
}

// told is what a worker tells the run's loop, which calls it. The error ends the run.
type told func(ctx context.Context) error

// failed reports an error.
func failed(err error) told { return func(context.Context) error { return err } }

type run struct {
	*Runner
	id   int64
	fold *tournament.Fold

	jobs  *jobs
	pairs *pairs
	inbox chan told
	begun time.Time
	shown time.Time   // last Progressed
	voids map[int]int // pairs that were void, by place
	busy  bool        // ... too many of them

	pause  time.Duration // from one Progressed to the next
	kept   int           // games that were there already
	played int           // games of this start
	moves  int64

	out   map[string]string // workers whose games are set aside, and why
	stale map[string]string // games that were set aside before they were counted, and why
}

// summary is what is decided so far.
func (r *run) summary() *arena.Summary {
	state := "running"
	if r.fold.Stop() != nil {
		state = "finished"
	}
	return r.fold.Summary(arena.RunInfo{
		ID: r.id, Name: r.Plan.Name, Game: r.Plan.Game.Name(), State: state, Started: r.begun, Changed: time.Now(),
		Games: r.kept + r.played, Played: r.played, Plan: *r.Plan,
	})
}

// play starts the workers and runs the loop.
func (r *run) play(ctx context.Context) (*arena.Summary, error) {
	workers, cancel := context.WithCancel(ctx)
	defer cancel()
	if r.Watcher != nil {
		r.emit(arena.Event{Kind: arena.RunStarted, Summary: r.summary()})
	}
	err := r.remark(ctx, r.Warnings)
	if r.Remote != nil {
		excluded, failed := r.Remote.Open(ctx, r.id, &Desk{r.pairs, r})
		if failed != nil {
			return r.end(ctx, errors.Join(err, failed))
		}
		for worker, reason := range excluded { // the last start may have ended before
			err = errors.Join(err, r.exclude(ctx, worker, nil, reason))
		}
	}
	var slots sync.WaitGroup
	stopped := make(chan struct{})
	open, _ := r.fill()
	if err == nil && (open || r.fold.Stop() == nil || r.auditing()) { // else nothing is left to play, and no worker starts
		r.start(workers, &slots)
	}
	go func() {
		slots.Wait()
		close(stopped)
	}()
	if err == nil {
		err = r.loop(ctx)
	}
	cancel()
	drained := r.drain(stopped)
	return r.end(ctx, errors.Join(err, drained))
}

// start starts the slots of this process, and lets workers elsewhere play.
func (r *run) start(ctx context.Context, slots *sync.WaitGroup) {
	own := r.Plan.Concurrency
	if r.Remote != nil {
		own = r.Slots
		slots.Go(func() {
			if err := r.Remote.Serve(ctx); err != nil {
				r.inbox <- failed(err)
			}
		})
	}
	puts := make(chan struct{}, maxPuts)
	for slot := range min(own, maxSlots) {
		slots.Go(func() { r.slot(ctx, slot, false, puts) })
	}
	if r.Remote != nil {
		slots.Go(func() { r.slot(ctx, own, true, puts) })
	}
}

const (
	maxSlots = 4096
	maxPuts  = 256 // games that wait to be durable
)

// loop runs until the run is over.
func (r *run) loop(ctx context.Context) error {
	for {
		_, stuck := r.fill()
		switch over := r.fold.Stop() != nil; {
		case over && !r.auditing():
			return nil
		case over:
		case stuck && ctx.Err() == nil:
			return errors.New("the run waits for games that are not being played")
		}
		select {
		case m := <-r.inbox:
			if err := m(ctx); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// auditing reports whether a run that is over waits for audits.
func (r *run) auditing() bool {
	if r.Remote == nil || !r.Remote.Busy() {
		return false
	}
	r.pairs.withdraw() // nothing but audits is worth playing
	return true
}

// drain takes the reports of workers until all have ended, so that finished
// games are stored.
func (r *run) drain(stopped <-chan struct{}) error {
	var first error
	for {
		select {
		case m := <-r.inbox:
			err := m(context.Background())
			if ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded); first == nil && !ended {
				first = err
			}
		case <-stopped:
			if len(r.inbox) == 0 {
				return first
			}
		}
	}
}

// ErrReopened is that of a run whose last games were set aside while its slots ended.
var ErrReopened = errors.New("games were set aside when the run had ended; start it again to play them again")

// end notes the final state of the run.
func (r *run) end(ctx context.Context, err error) (*arena.Summary, error) {
	note := context.WithoutCancel(ctx)
	const interrupted = "interrupted"
	reason, remark := "", ""
	sum := r.summary()
	if sum.Stop == nil && err == nil {
		err = ErrReopened
	}
	switch {
	case sum.Stop != nil && err == nil:
		reason = sum.Stop.Text
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		sum.Run.State, reason, err = interrupted, interrupted, ctx.Err()
	default:
		sum.Run.State, reason = interrupted, err.Error()
		var stopped *StoppedError
		if errors.As(err, &stopped) {
			remark = reason
		}
	}
	if sum.Run.State == interrupted && ctx.Err() == nil && sum.Run.Games == 0 && len(r.voids) == 0 {
		err = errors.Join(err, r.Store.Abandon(note, r.id))
	} else if noted := r.Store.Note(note, r.id, sum.Run.State, remark); noted != nil {
		noted = &StoreError{"noting how the run stands", noted}
		if err == nil { // a run is finished only if that is stored
			sum.Run.State, reason = interrupted, noted.Error()
		}
		err = errors.Join(err, noted)
	}
	r.news()
	r.emit(arena.Event{Kind: arena.RunFinished, Text: reason, Summary: sum})
	return sum, err
}
