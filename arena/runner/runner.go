// Package runner plays a run: it takes what is left to play from the
// tournament's fold, gives it to workers, has each game stored before the fold
// counts it, and tells a watcher.
//
// It leaves decisions about games to match, about the run to tournament, and
// about storage to store. It prints nothing.
package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/queue"
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

// RunResult is how a run ended.
type RunResult struct {
	Run       int64
	Reason    string // why it is over, or stopped
	Kept      int    // games that were there already
	Played    int    // games of this start
	Summary   *arena.Summary
	Elapsed   time.Duration
	Interrupt bool // stopped before its end: it can be resumed
}

// StoppedError ends a run whose engine faulted under on_fault: stop.
type StoppedError struct {
	Engine string
	Record *arena.Record
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("engine %s faulted in game %s (%v) and has on_fault: stop", e.Engine, e.Record.ID, e.Record.Fault)
}

// StoreError is a failure of the store. The run ends, since further games could
// be lost.
type StoreError struct {
	Doing string
	Err   error
}

func (e *StoreError) Error() string { return e.Doing + ": " + e.Err.Error() }

// Unwrap is the store's own error.
func (e *StoreError) Unwrap() error { return e.Err }

// Run plays until the run is over, ctx ends or an error stops it. The Result is
// valid in each case, once Store.Begin has succeeded. If ctx ended, the error is
// that of ctx. A run that fails before its first game is removed.
func (d *Runner) Run(ctx context.Context) (*RunResult, error) {
	r, err := d.begin(ctx)
	if err != nil {
		return nil, err
	}
	if stop := r.fold.Stop(); stop.Unrated() { // to be run again is to go on
		d.Plan.PastVoids = r.fold.PastVoids()
		if r, err = d.begin(ctx); err != nil {
			return nil, err
		}
		r.Warnings = append(slices.Clone(r.Warnings), fmt.Sprintf("the run goes on; it had stopped after %d pairs: %s", stop.Pairs, stop.Text))
	}
	err = r.play(ctx)
	r.result.Elapsed = time.Since(r.begun)
	return r.result, err
}

// begin opens the run.
func (d *Runner) begin(ctx context.Context) (*run, error) {
	id, done, err := d.Store.Begin(ctx, d.Plan)
	if err != nil {
		return nil, err
	}
	fold, err := tournament.New(d.Plan)
	if err != nil {
		return nil, errors.Join(err, d.Store.Abandon(context.WithoutCancel(ctx), id))
	}
	return newRun(d, id, fold, done), nil
}

// message is a report of a worker to the run's loop.
type message struct {
	started  *arena.Job
	finished *arena.Record
	stalled  *arena.Record
	left     int // games of the lease of a stalled one that do not come
	before   int // ... and those that came before it
	attempt  int // ... and the number of the pair's next attempt
	place    int
	played   bool // the lease at place was played to its end; its games may wait to be stored
	warning  string
	held     map[int]bool // what the queue held, some time after begun
	begun    time.Time
	err      error
}

type run struct {
	*Runner
	id     int64
	fold   *tournament.Fold
	jobs   *jobs
	queue  queue.Queue
	ledger *ledger
	inbox  chan message
	begun  time.Time
	shown  time.Time // last Progressed
	voided bool      // a pair was void

	finishing bool // it is over, and waits for audits

	pause   time.Duration // from one Progressed to the next
	result  *RunResult
	open    int // games offered and not yet stored
	moves   int64
	playing int // leases offered and not yet played to their end

	attempts map[int]int // by place, of pairs that were void
}

func newRun(d *Runner, id int64, fold *tournament.Fold, done []arena.Finished) *run {
	r := &run{
		Runner: d, id: id, fold: fold, jobs: newJobs(d.Plan), queue: queue.NewLocal(), ledger: newLedger(), inbox: make(chan message, 64),
		begun: time.Now(), pause: progressEvery, result: &RunResult{Run: id}, attempts: map[int]int{},
	}
	fold.AddAll(done)
	r.result.Kept = fold.Known()
	return r
}

// summary is what is decided so far.
func (r *run) summary() *arena.Summary {
	state := "running"
	if r.fold.Stop() != nil {
		state = "finished"
	}
	return r.fold.Summary(arena.RunInfo{
		ID: r.id, Name: r.Plan.Name, Game: r.Plan.Game.Name(), State: state, Started: r.begun, Changed: time.Now(),
		Games: r.result.Kept + r.result.Played, Plan: r.Plan.Settings(),
	})
}

// started is the summary of a run that somebody watches.
func (r *run) started() *arena.Summary {
	if r.Watcher == nil {
		return nil
	}
	return r.summary()
}

// play starts the workers and runs the loop.
func (r *run) play(ctx context.Context) error {
	workers, cancel := context.WithCancel(ctx)
	defer cancel()
	r.emit(arena.Event{Kind: arena.RunStarted, Summary: r.started()})
	err := r.remark(ctx, r.Warnings)
	if r.Remote != nil {
		remote, failed := r.Remote.Open(ctx, r.id)
		if failed != nil {
			return r.end(ctx, errors.Join(err, failed))
		}
		r.queue = remote
	}
	var slots sync.WaitGroup
	stopped := make(chan struct{})
	open, _, filled := r.fill(ctx)
	if err = errors.Join(err, filled); err == nil && (open || r.fold.Stop() == nil || r.busy()) { // else nothing is left to play, and no worker starts
		r.start(workers, &slots)
	}
	go func() {
		slots.Wait()
		close(stopped)
	}()
	if err == nil {
		err = r.loop(ctx)
	}
	r.queue.Withdraw()
	r.queue.Close()
	cancel()
	drained := r.drain(stopped)
	return r.end(ctx, errors.Join(err, drained))
}

// start starts the slots of this process, and lets workers elsewhere play.
func (r *run) start(ctx context.Context, slots *sync.WaitGroup) {
	own := r.Plan.Concurrency
	if r.Remote != nil {
		own = r.Slots
		slots.Go(func() { r.audit(ctx) })
		slots.Go(func() {
			if err := r.Remote.Serve(ctx, &Desk{r}); err != nil {
				r.inbox <- message{err: err}
			}
		})
	}
	puts := make(chan struct{}, maxPuts)
	for slot := range min(own, maxSlots) {
		slots.Go(func() { r.slot(ctx, slot, puts) })
	}
}

const (
	maxSlots = 4096
	maxPuts  = 256 // games that wait to be durable
)

// loop runs until the run is over.
func (r *run) loop(ctx context.Context) error {
	for {
		_, stuck, err := r.fill(ctx)
		switch over := r.fold.Stop() != nil; {
		case over && !r.busy():
			return nil
		case over:
		case err != nil && ctx.Err() == nil:
			return err
		case stuck && ctx.Err() == nil:
			return errors.New("the run waits for games that are not being played")
		}
		select {
		case m := <-r.inbox:
			if err := r.handle(ctx, m); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// busy reports whether a run that is over waits for audits.
func (r *run) busy() bool {
	if r.Remote == nil || !r.Remote.Busy() {
		return false
	}
	if !r.finishing { // nothing but audits is worth playing
		r.finishing = true
		r.queue.Withdraw()
		r.Remote.Finish()
	}
	return true
}

// drain takes the messages of workers until all have ended, so that finished
// games are stored.
func (r *run) drain(stopped <-chan struct{}) error {
	var first error
	for {
		select {
		case m := <-r.inbox:
			if m.held != nil {
				continue // nothing is offered any more
			}
			if m.err != nil {
				if ended := errors.Is(m.err, context.Canceled) || errors.Is(m.err, context.DeadlineExceeded); first == nil && !ended {
					first = m.err
				}
				continue
			}
			if err := r.handle(context.Background(), m); err != nil && first == nil {
				first = err
			}
		case <-stopped:
			if len(r.inbox) == 0 {
				return first
			}
		}
	}
}

// end notes the final state of the run.
func (r *run) end(ctx context.Context, err error) error {
	note := context.WithoutCancel(ctx)
	state, remark := "finished", ""
	stop := r.fold.Stop()
	switch interrupted := err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()); {
	case stop != nil && err == nil:
		r.result.Reason = stop.Text
	case interrupted:
		state, r.result.Reason = "interrupted", "interrupted"
		err = ctx.Err()
	default:
		state, r.result.Reason = "interrupted", err.Error()
		var stopped *StoppedError
		if errors.As(err, &stopped) {
			remark = r.result.Reason
		}
	}
	r.result.Interrupt = state != "finished"
	r.result.Summary = r.summary()
	r.result.Summary.Run.State = state
	if r.result.Interrupt && ctx.Err() == nil && r.result.Kept+r.result.Played == 0 && !r.voided {
		err = errors.Join(err, r.Store.Abandon(note, r.id))
	} else if noted := r.Store.Note(note, r.id, state, remark); noted != nil {
		noted = &StoreError{"noting how the run stands", noted}
		if err == nil { // a run is finished only if that is stored
			r.result.Interrupt, r.result.Summary.Run.State, r.result.Reason = true, "interrupted", noted.Error()
		}
		err = errors.Join(err, noted)
	}
	r.news()
	r.emit(arena.Event{Kind: arena.RunFinished, Text: r.result.Reason, Summary: r.result.Summary})
	return err
}
