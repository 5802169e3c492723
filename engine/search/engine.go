package search

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Limits end a search, whichever is reached first. Zero fields do not limit.
type Limits struct {
	Depth int           // plies of the last iteration
	First int           // plies of the first iteration, 1 when zero; Depth without deepening
	Nodes int64         // moves made; exact with one thread
	Time  time.Duration // from the call
	Soft  time.Duration // no new iteration begins after it

	// Allow restricts the root's moves by their tags; nil allows all.
	Allow func(tag uint32) bool
}

// Result is what a search found so far.
type Result[M any] struct {
	Move  M
	Found bool  // false when there is no legal move: then Score is Board.Stuck
	Score int   // for the side to move
	Depth int   // the last iteration that was finished, or that found Move
	Nodes int64 // moves made by all threads
	PV    []M   // Move and what should follow
	Done  bool  // nothing deeper can change it: proven, or no choice of outcome
	Full  int   // share of the table in use, in thousandths
}

// Engine searches positions of one game. It is used by one goroutine at a
// time; Options may change between searches.
type Engine[M any] struct {
	Options Options

	newBoard func() Board[M]
	workers  []*worker[M]
	table    table
	tree     tree[M] // of MCTS
	stop     atomic.Bool
	draws    uint64 // random moves drawn since Clear
}

// New is an engine with default options. newBoard makes one board a thread.
func New[M any](newBoard func() Board[M]) *Engine[M] {
	return &Engine[M]{Options: Defaults(), newBoard: newBoard}
}

// Clear forgets everything that was learned, as before a new game.
func (e *Engine[M]) Clear() {
	e.table.clear()
	e.draws = 0
	for _, w := range e.workers {
		w.forget()
	}
}

// Prepare allocates what the options ask for, which the first search would do
// on its own time.
func (e *Engine[M]) Prepare() {
	for len(e.workers) < max(1, e.Options.Threads) {
		e.workers = append(e.workers, newWorker(e.newBoard(), &e.Options, &e.table))
	}
	if e.Options.Driver != MCTS && e.Options.Driver != Random {
		e.table.resize(e.Options.Table)
	}
}

// Search seeks the best move of the position that set puts on a board. It ends
// by a limit, by ctx, at MaxPly or when the outcome is proven and its distance
// exact. report, which may be nil, sees each better or deeper result, on the
// calling goroutine; it must not keep the engine waiting.
func (e *Engine[M]) Search(ctx context.Context, set func(Board[M]), limits Limits, report func(Result[M])) Result[M] {
	begun := time.Now()
	e.prepare()
	e.stop.Store(ctx.Err() != nil)
	release := context.AfterFunc(ctx, func() { e.stop.Store(true) })
	defer release()

	threads := max(1, e.Options.Threads)
	if e.Options.Driver == MCTS || e.Options.Driver == Random {
		threads = 1
	}
	for _, w := range e.workers[:threads] {
		set(w.board)
		w.begin()
		w.stop = &e.stop
		w.maxNodes = (limits.Nodes + int64(threads) - 1) / int64(threads)
		w.deadline = time.Time{}
		if limits.Time > 0 {
			w.deadline = begun.Add(limits.Time)
		}
		w.setRoot(limits.Allow)
	}
	main := e.workers[0]
	if len(main.root.Items) == 0 {
		return Result[M]{Score: main.board.Stuck(), Done: true}
	}
	d := &deepening[M]{engine: e, main: main, others: e.workers[1:threads], limits: limits, begun: begun, report: report}
	d.result = Result[M]{Move: main.root.Items[0].Move, Found: true}
	switch e.Options.Driver {
	case Random:
		e.random(d)
	case MCTS:
		e.grow(d)
	default:
		d.withHelpers()
	}
	d.result.Nodes = d.nodes()
	d.result.Full = e.table.full()
	return d.result
}

// prepare brings everything in line with the options.
func (e *Engine[M]) prepare() {
	e.Options.Tuning.prepare()
	e.Prepare()
	e.table.age()
	if e.Options.Threads > 1 {
		e.table.share()
	}
}

// random draws a move. Draws differ from call to call until Clear.
func (e *Engine[M]) random(d *deepening[M]) {
	items := d.main.root.Items
	e.draws++
	at := mix(e.Options.Seed^mix(e.draws)) % uint64(len(items))
	d.result.Move = items[at].Move
	d.result.PV = []M{d.result.Move}
}

// withHelpers deepens on this goroutine while the other threads search the
// same position and share what they find through the table.
func (d *deepening[M]) withHelpers() {
	var wait sync.WaitGroup
	for i, w := range d.others {
		wait.Go(func() { w.help(1+i&1, d.limits.Depth) })
	}
	d.run()
	d.engine.stop.Store(true)
	wait.Wait()
}

// help is a helper thread's deepening: it begins a little deeper than its
// neighbour and ends when it is told to.
func (w *worker[M]) help(offset, limit int) {
	w.on = w.options.Features
	w.rootBest = nil
	score := 0
	for depth := offset; depth < MaxPly && !w.stopped; depth++ {
		score = w.iterate(depth, score)
		if sign, _ := Proven(score); sign != 0 || limit > 0 && depth > limit {
			return
		}
	}
}
