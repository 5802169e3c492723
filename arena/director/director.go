// Package director plays a run: it takes pairs from a schedule, gives them to
// workers, has each game stored before it counts, and tells a watcher.
//
// It decides nothing about games (match does), about pairings (tournament
// does) or about what is kept (the keeper does), and prints nothing.
package director

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/queue"
	"thera/arena/tournament"
)

// Director plays one plan.
type Director struct {
	Plan    *arena.Plan
	Keeper  arena.Keeper
	Worker  func(slot int) arena.Worker
	Watcher arena.Watcher // may be nil
	Queue   queue.Queue   // nil: a local one

	// Warnings are shown and noted with the run before the first game.
	Warnings []string
}

// Result is how a run ended.
type Result struct {
	Run       int64
	Reason    string // why it is over
	Kept      int    // games that were there already
	Played    int    // games of this start
	Schedule  *tournament.Schedule
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

// Run plays until the schedule is over, ctx ends or an error stops it. The
// Result is there in each case once the keeper has begun; when ctx ended the
// error is ctx's.
func (d *Director) Run(ctx context.Context) (*Result, error) {
	schedule, err := tournament.New(d.Plan)
	if err != nil {
		return nil, err
	}
	id, done, err := d.Keeper.Begin(ctx, d.Plan)
	if err != nil {
		return nil, err
	}
	r := newRun(d, id, schedule, done)
	r.result.Kept = r.countKept()
	err = r.play(ctx)
	r.result.Elapsed = time.Since(r.begun)
	return r.result, err
}

// message is what workers tell the run's one loop.
type message struct {
	started  *arena.Job
	finished *arena.Record
	stalled  *arena.Record
	place    int
	played   bool // the lease at place was played to its end; its games may wait to be stored
	err      error
}

type run struct {
	*Director
	id       int64
	schedule *tournament.Schedule
	jobs     *jobs
	queue    queue.Queue
	inbox    chan message
	begun    time.Time
	shown    time.Time // last Progressed
	result   *Result
	kept     map[string]*arena.Finished
	open     map[int]*openPair
	index    int // of the next job
	moves    int64
	playing  int // leases offered and not yet played to their end
}

// openPair is a pair that was handed out and is not finished.
type openPair struct {
	pair  tournament.Pair
	games []tournament.Game
	have  []bool
}

func newRun(d *Director, id int64, s *tournament.Schedule, done []arena.Finished) *run {
	r := &run{
		Director: d, id: id, schedule: s, jobs: newJobs(d.Plan), queue: d.Queue, inbox: make(chan message, 64),
		begun: time.Now(), result: &Result{Run: id, Schedule: s}, kept: make(map[string]*arena.Finished, len(done)), open: map[int]*openPair{},
	}
	if r.queue == nil {
		r.queue = queue.NewLocal()
	}
	for i := range done {
		r.kept[done[i].ID] = &done[i]
	}
	return r
}

// countKept leaves out games of pairings that are no longer in the plan.
func (r *run) countKept() int {
	n := 0
	for _, f := range r.kept {
		if r.Plan.Engine(f.Pairing[0]) != nil && r.Plan.Engine(f.Pairing[1]) != nil {
			n++
		}
	}
	return n
}

// play starts the workers and runs the loop.
func (r *run) play(ctx context.Context) error {
	workers, cancel := context.WithCancel(ctx)
	defer cancel()
	r.emit(arena.Event{Kind: arena.RunStarted})
	for _, text := range r.Warnings {
		r.warn(ctx, text)
	}
	var slots sync.WaitGroup
	stopped := make(chan struct{})
	if r.fill(ctx) { // else nothing is left to play, and no worker starts
		puts := make(chan struct{}, maxPuts)
		for slot := range min(r.Plan.Concurrency, maxSlots) {
			slots.Go(func() { r.slot(workers, slot, puts) })
		}
	}
	go func() {
		slots.Wait()
		close(stopped)
	}()
	err := r.loop(ctx)
	r.queue.Withdraw()
	r.queue.Close()
	cancel()
	drained := r.drain(stopped)
	return r.end(ctx, errors.Join(err, drained))
}

const (
	maxSlots = 4096
	maxPuts  = 256 // games that wait to be durable
)

// loop runs until the schedule is over.
func (r *run) loop(ctx context.Context) error {
	for {
		if _, over := r.schedule.Over(); over {
			return nil
		}
		if !r.fill(ctx) {
			if _, over := r.schedule.Over(); over {
				return nil
			}
			if ctx.Err() == nil {
				return errors.New("the schedule waits for pairs that nobody plays")
			}
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

// drain takes what workers still say until all have ended: games that were
// finished are kept.
func (r *run) drain(stopped <-chan struct{}) error {
	var first error
	for {
		select {
		case m := <-r.inbox:
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

// end notes how the run stands.
func (r *run) end(ctx context.Context, err error) error {
	note := context.WithoutCancel(ctx)
	state, text := "finished", ""
	reason, over := r.schedule.Over()
	switch {
	case over && err == nil:
		text = reason
	case err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()):
		state, reason = "interrupted", "interrupted"
		err = ctx.Err()
	default:
		state, reason = "interrupted", err.Error()
		var stop *StoppedError
		if errors.As(err, &stop) {
			text = reason
		}
	}
	r.notes(note)
	if noted := r.Keeper.Note(note, r.id, state, text); noted != nil {
		if err == nil { // what is not kept has not finished
			state, reason = "interrupted", noted.Error()
		}
		err = errors.Join(err, noted)
	}
	r.result.Reason, r.result.Interrupt = reason, state != "finished"
	r.emit(arena.Event{Kind: arena.RunFinished, Text: reason})
	return err
}
