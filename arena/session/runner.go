package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/tournament"
)

// Runner plays one plan. Play builds the engines, puts them into their sandboxes, takes the run's
// name in a SQLite store, and then uses a Runner. The Runner itself does none of this. So
// simulations and tests can give it workers without processes, and another store.
type Runner struct {
	Plan    *arena.Plan
	Store   arena.Store
	Worker  func(slot int) arena.Worker
	Watcher arena.Watcher // may be nil

	// Remote, if set, lets workers elsewhere play beside Slots slots of this process.
	// Without it there are as many slots as the plan says.
	Remote Remote
	Slots  int

	// Last ends the run early. When it is done, no further game begins, and games that are
	// being played are finished. It may be nil.
	Last context.Context

	// Every, if not 0, is a number of games. After each multiple of it there is an event of
	// progress, in addition to those by time.
	Every int

	// Warnings are reported, and stored with the run, before the first game.
	Warnings []string
}

// Remote lets workers elsewhere play pairs of a run. Its methods are called without the lock of
// the run.
type Remote interface {
	// Open is called before the first pair. It returns the excluded workers with the reasons.
	Open(ctx context.Context, run *Run) (excluded map[string]string, err error)

	// Serve lets workers play pairs until ctx ends. It returns when the run has all their
	// games.
	Serve(ctx context.Context) error
}

// StoppedError is the error of a run that ended because an engine faulted under on_fault: stop, or
// because this machine stalled in too many pairs. The run can be resumed.
type StoppedError struct{ text string }

func (e *StoppedError) Error() string { return e.text }

// Run is a run that is being played. It is safe for concurrent use.
//
// Slots take pairs from it and put games into it. The lock mu guards its state and is held during
// calls of the watcher. It is not held while a game is stored. The gate storing is entered before
// a game is stored, and left when the game is counted. Exclude closes the gate, so that it finds
// no game that is stored but not counted. Enter storing before mu is locked.
type Run struct {
	*Runner
	ID int64

	storing gate

	mu       sync.Mutex
	director *tournament.Director
	ids      map[[2]string]arena.Identity
	open     map[int]*Pair     // by place: pairs from the director that are not yet counted
	waiting  []*Pair           // those of open that no slot has, and audits
	changed  chan struct{}     // closed when a waiting slot may find a pair
	workers  map[string]int    // number of slots of each worker that plays
	idle     map[string]int    // number of slots that wait for a pair, by worker
	claims   map[string]string // worker that has played a pair before this start, by its first game
	out      map[string]bool   // excluded workers
	holds    int               // number of callers of Hold
	voids    map[int]int       // how often a pair was void, by place

	kept  int           // games of earlier starts
	moves int64         // of this start
	pairs int64         // whole pairs of this start
	spent time.Duration // sum over pairs of the time from Take to the last game

	begun time.Time
	shown time.Time     // of the last Progressed
	pause time.Duration // to the next one

	cancel context.CancelFunc // ends the slots
	over   bool
	err    error
}

// Run plays until the run is over, ctx ends or an error stops it. It returns a summary in each
// case, if Store.Begin has succeeded. If ctx ended, the error is that of ctx. A run that fails
// before its first game is removed.
func (d *Runner) Run(ctx context.Context) (*arena.Summary, error) {
	id, was, err := d.Store.Begin(ctx, d.Plan)
	if err != nil {
		return nil, err
	}
	with, plan := *d, *d.Plan // the caller's stay as they are
	with.Plan, plan.Earlier = &plan, was.Earlier
	director, err := tournament.New(&plan)
	if err != nil {
		return nil, errors.Join(err, d.Store.Abandon(context.WithoutCancel(ctx), id))
	}
	if d.Remote == nil {
		with.Slots = plan.Concurrency
	}
	director.AddAll(tournament.Stored(was.Games))
	r := &Run{
		storing: newGate(),
		Runner:  &with, ID: id, director: director, ids: map[[2]string]arena.Identity{}, open: map[int]*Pair{}, changed: make(chan struct{}),
		workers: map[string]int{}, idle: map[string]int{}, claims: map[string]string{}, out: map[string]bool{}, voids: map[int]int{},
		kept: director.Known(), begun: time.Now(), pause: progressEvery,
	}
	playing, cancel := context.WithCancel(ctx)
	defer cancel()
	r.cancel = cancel
	if d.Last == nil {
		with.Last = ctx
	}
	defer context.AfterFunc(with.Last, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.look()
	})()
	r.Hold()
	r.fail(r.begin(ctx))
	r.Release()
	if playing.Err() == nil { // otherwise nothing is left to play, and no engine starts
		r.play(playing)
	}
	return r.end(ctx)
}

// begin reports that the run begins, and opens Remote.
func (r *Run) begin(ctx context.Context) error {
	r.mu.Lock()
	r.emit(arena.Event{Kind: arena.RunStarted, Summary: r.summary()})
	r.news() // of earlier starts
	r.mu.Unlock()
	for _, text := range r.Warnings {
		r.Warn(text)
		if err := r.Store.Note(context.WithoutCancel(ctx), r.ID, "running", text); err != nil {
			return fmt.Errorf("storing the warning %q: %w", text, err)
		}
	}
	if r.Remote == nil {
		return r.sayDue(ctx)
	}
	excluded, err := r.Remote.Open(ctx, r)
	for worker, reason := range excluded { // an earlier start may have ended before it did this
		err = errors.Join(err, r.Exclude(worker, nil, reason))
	}
	return err
}

// sayDue reports the audits of workers' pairs that an earlier start left. Only a Remote has them played.
func (r *Run) sayDue(ctx context.Context) error {
	incidents, err := r.Store.Incidents(ctx, r.ID)
	due := map[[2]string]string{}
	for _, i := range incidents {
		if is, audit := i.Kind.Audit(); is {
			due[[2]string{i.Worker, i.Game}] = arena.Short(i.Game) + " of worker " + i.Worker
		} else if audit {
			delete(due, [2]string{i.Worker, i.Game})
		}
	}
	if len(due) > 0 {
		r.Warn(fmt.Sprintf("%s not played: %s (the same command plays them with --workers 127.0.0.1:0, without a worker)",
			arena.Plural(len(due), "audit"), arena.Cut(strings.Join(slices.Sorted(maps.Values(due)), ", "), 300)))
	}
	return err
}

// play runs all slots until the run is over or ctx ends.
func (r *Run) play(ctx context.Context) {
	var all sync.WaitGroup
	if r.Remote != nil {
		all.Go(func() { r.fail(r.Remote.Serve(ctx)) })
	}
	for slot := range min(max(r.Slots, 1), maxSlots) { // the referee is a slot too
		all.Go(func() { r.fail(r.slot(ctx, slot)) })
	}
	all.Wait()
}

const (
	maxSlots = 4096 // more than any machine can play
	maxPuts  = 256  // games that wait to be durable
)

// fail ends the run with an error. It ignores nil and the end of a context.
func (r *Run) fail(err error) {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finish(err)
}

// finish ends the run. The caller holds the lock.
func (r *Run) finish(err error) {
	if r.err == nil {
		r.err = err
	}
	r.over = true
	r.cancel()
}

// look ends a run that is over, unless somebody holds it. It also ends a run that Last ends, when
// no slot has a pair. The caller holds the lock.
func (r *Run) look() {
	switch {
	case r.over:
	case r.director.Stop() != nil && r.holds == 0:
		r.finish(nil)
	case r.Last.Err() != nil:
		audit := func(p *Pair) bool { return p.Audit != nil }
		if len(r.open) == len(slices.DeleteFunc(slices.Clone(r.waiting), audit)) {
			r.cancel()
		}
	}
}

// Hold delays the end of the run until Release. It returns false if the run has ended.
func (r *Run) Hold() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over {
		r.holds++
	}
	return !r.over
}

// Release undoes a Hold.
func (r *Run) Release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.holds--
	r.look()
}

// end stores the final state of the run.
func (r *Run) end(ctx context.Context) (*arena.Summary, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	cut, err := !r.over, r.err
	if cut {
		err = cmp.Or(ctx.Err(), context.Canceled)
	}
	note := context.WithoutCancel(ctx)
	const interrupted = "interrupted"
	reason, remark := "", ""
	sum := r.summary()
	switch {
	case sum.Stop != nil && err == nil:
		reason = sum.Stop.Text
	case cut:
		sum.Run.State, reason = interrupted, interrupted
	default:
		sum.Run.State, reason = interrupted, err.Error()
		if errors.As(err, new(*StoppedError)) {
			remark = reason
		}
	}
	do, noted := "storing the state of the run", error(nil)
	if sum.Run.State == interrupted && !cut && sum.Run.Games == 0 && len(r.voids) == 0 {
		do, noted = "removing the run", r.Store.Abandon(note, r.ID)
	} else {
		noted = r.Store.Note(note, r.ID, sum.Run.State, remark)
	}
	if noted != nil && (err == nil || !strings.HasSuffix(err.Error(), noted.Error())) { // a full disk is said once
		noted = fmt.Errorf("%s: %w", do, noted)
		if err == nil { // a run is finished only if its state is stored
			sum.Run.State, reason = interrupted, noted.Error()
		}
		err = errors.Join(err, noted)
	}
	r.emit(arena.Event{Kind: arena.RunFinished, Text: reason, Summary: sum})
	r.Watcher = nil // later remarks are dropped
	return sum, err
}
