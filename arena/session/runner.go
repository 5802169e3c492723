package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/tournament"
)

// Runner plays one plan. Play is for a run of engines: it builds them, puts them into their
// boxes, takes the run's name in a SQLite store, and then uses a Runner. A Runner does none of
// that, so simulations and tests give it workers without processes, and another store.
type Runner struct {
	Plan    *arena.Plan
	Store   arena.Store
	Worker  func(slot int) arena.Worker
	Watcher arena.Watcher // may be nil

	// Remote, if set, lets workers elsewhere play beside Slots slots of this process.
	// Without it there are as many slots as the plan says.
	Remote Remote
	Slots  int

	// Last ends the run early: no game begins after it ends, and those that are being
	// played are finished. It may be nil.
	Last context.Context

	// Every makes an event of progress after each multiple of this number of games, in
	// addition to those by time. 0 is none.
	Every int

	// Warnings are shown and noted with the run before the first game.
	Warnings []string
}

// Remote lets workers elsewhere play pairs of a run. It is never called while a lock of
// the run is held.
type Remote interface {
	// Open begins a run, before its first pair. It returns excluded workers, and why they are.
	Open(ctx context.Context, run *Run) (excluded map[string]string, err error)

	// Serve has workers play pairs until ctx ends. It returns when the run has all that
	// they have played.
	Serve(ctx context.Context) error
}

// StoppedError ends a run because an engine faulted under on_fault: stop, or because this machine
// stalled in too many pairs. The same run can be resumed.
type StoppedError struct{ text string }

func (e *StoppedError) Error() string { return e.text }

// Run is a run that is being played. It is safe for concurrent use.
//
// Slots take pairs from it and put games into it. One lock, mu, guards its state; the
// watcher is called with it. Games are stored without it, and in the gate storing, so that
// Exclude, which closes it, meets no game that is stored and not counted. storing is entered
// before mu is locked.
type Run struct {
	*Runner
	ID int64

	storing gate

	mu       sync.Mutex
	director *tournament.Director
	ids      map[[2]string]arena.Identity
	open     map[int]*Pair     // by place: pairs that were taken from the director and are not counted
	waiting  []*Pair           // of them, those that no slot has, and audits
	changed  chan struct{}     // closed when a slot that waits may find a pair
	workers  map[string]int    // slots of the workers that play
	idle     map[string]int    // slots that wait for a pair, by worker
	claims   map[string]string // workers that have played a pair before this start, by its first game
	out      map[string]bool   // excluded workers
	holds    int               // audits for which the end waits
	voids    map[int]int       // pairs that were void, by place

	kept  int           // games of earlier starts
	moves int64         // of this start
	pairs int64         // of this start, whole ones
	spent time.Duration // from the taking of each to its last game

	begun time.Time
	shown time.Time     // last Progressed
	pause time.Duration // to the next one

	cancel context.CancelFunc // ends the slots
	over   bool
	err    error
}

// Run plays until the run is over, ctx ends or an error stops it. There is a summary
// in each case, once Store.Begin has succeeded. If ctx ended, the error is
// that of ctx. A run that fails before its first game is removed.
func (d *Runner) Run(ctx context.Context) (*arena.Summary, error) {
	id, was, err := d.Store.Begin(ctx, d.Plan)
	if err != nil {
		return nil, err
	}
	with, plan := *d, *d.Plan
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
	if playing.Err() == nil { // else nothing is left to play, and no engine starts
		r.play(playing)
	}
	return r.end(ctx)
}

// begin says that the run begins, and opens Remote.
func (r *Run) begin(ctx context.Context) error {
	if r.Watcher != nil {
		r.event(arena.Event{Kind: arena.RunStarted, Summary: r.summary()})
	}
	for _, text := range r.Warnings {
		r.Warn(text)
		if err := r.Store.Note(context.WithoutCancel(ctx), r.ID, "running", text); err != nil {
			return fmt.Errorf("noting %q: %w", text, err)
		}
	}
	if r.Remote == nil {
		return nil
	}
	excluded, err := r.Remote.Open(ctx, r)
	for worker, reason := range excluded { // the last start may have ended before
		err = errors.Join(err, r.Exclude(worker, nil, reason))
	}
	return err
}

// play runs all slots until the run is over or ctx ends.
func (r *Run) play(ctx context.Context) {
	var all sync.WaitGroup
	if r.Remote != nil {
		all.Go(func() { r.fail(r.Remote.Serve(ctx)) })
	}
	puts := make(chan struct{}, maxPuts)
	for slot := range min(max(r.Slots, 1), maxSlots) { // the referee is one as well
		all.Go(func() { r.fail(r.slot(ctx, slot, puts)) })
	}
	all.Wait()
}

const (
	maxSlots = 4096
	maxPuts  = 256 // games that wait to be durable
)

// fail ends the run because of an error, if it is one.
func (r *Run) fail(err error) {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finish(err)
}

// finish ends the run. The lock is held.
func (r *Run) finish(err error) {
	if r.err == nil {
		r.err = err
	}
	r.over = true
	r.cancel()
}

// look ends a run that is over, unless somebody holds it, and one that ends early when no
// slot has a pair. The lock is held.
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

// Hold delays the end of the run until Release. It reports false if the run has ended.
func (r *Run) Hold() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over {
		r.holds++
	}
	return !r.over
}

// Release ends what Hold began.
func (r *Run) Release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.holds--
	r.look()
}

// end notes the final state of the run.
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
	if sum.Run.State == interrupted && !cut && sum.Run.Games == 0 && len(r.voids) == 0 {
		err = errors.Join(err, r.Store.Abandon(note, r.ID))
	} else if noted := r.Store.Note(note, r.ID, sum.Run.State, remark); noted != nil {
		noted = fmt.Errorf("noting how the run stands: %w", noted)
		if err == nil { // a run is finished only if that is stored
			sum.Run.State, reason = interrupted, noted.Error()
		}
		err = errors.Join(err, noted)
	}
	r.news()
	r.emit(arena.Event{Kind: arena.RunFinished, Text: reason, Summary: sum})
	r.Watcher = nil // remarks may come later
	return sum, err
}
