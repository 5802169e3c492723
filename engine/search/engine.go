package search

import (
	"context"
	"sync/atomic"
	"time"
)

// Limits end a search. The first one reached counts; a zero field is no limit.
type Limits struct {
	Depth int           // plies of the last iteration
	Nodes int64         // moves made; exact with one thread
	Time  time.Duration // since the call of Search
	Soft  time.Duration // no iteration starts after it

	// Allow restricts the root moves by their tags; nil allows all.
	Allow func(tag uint32) bool
}

// Result is the result of a search so far.
type Result[M any] struct {
	Move  M
	Found bool  // false when there is no legal move: then Score is Board.Stuck
	Score int   // for the side to move
	Depth int   // the last iteration that finished, or that found Move
	Nodes int64 // moves made by all threads
	PV    []M   // principal variation, Move first
	Done  bool  // a deeper search cannot change it: the outcome is proven
	Full  int   // share of the table in use, in permille
}

// Engine searches positions of one game. Only one goroutine may use it at a
// time. Options may change between searches.
type Engine[M any] struct {
	Options Options

	newBoard func() Board[M]
	workers  []*worker[M]
	table    table
	stop     atomic.Bool
}

// New returns an engine with default options. newBoard is called once a thread.
func New[M any](newBoard func() Board[M]) *Engine[M] {
	return &Engine[M]{Options: Defaults(), newBoard: newBoard}
}

// Clear resets the table and the history. Call it before a
// new game.
func (e *Engine[M]) Clear() {
	e.table.clear()
	for _, w := range e.workers {
		w.forget()
	}
}

// Prepare allocates memory for the current options. Search does it otherwise,
// within its time limit.
func (e *Engine[M]) Prepare() {
	for len(e.workers) < max(1, e.Options.Threads) {
		e.workers = append(e.workers, newWorker(e.newBoard(), &e.Options, &e.table))
	}
	e.table.resize(e.Options.Table)
}

// Search returns the best move of the position that set puts on a board. It ends
// at a limit, when ctx is done, at MaxPly, or when the outcome is proven and its
// distance exact. report, which may be nil, is called with each better or deeper
// result on the calling goroutine; the search waits for it.
func (e *Engine[M]) Search(ctx context.Context, set func(Board[M]), limits Limits, report func(Result[M])) Result[M] {
	start := time.Now()
	e.prepare()
	e.stop.Store(ctx.Err() != nil)
	release := context.AfterFunc(ctx, func() { e.stop.Store(true) })
	defer release()

	threads := max(1, e.Options.Threads)
	for _, w := range e.workers[:threads] {
		set(w.board)
		w.begin()
		w.stop = &e.stop
		w.maxNodes = (limits.Nodes + int64(threads) - 1) / int64(threads)
		w.deadline = time.Time{}
		if limits.Time > 0 {
			w.deadline = start.Add(limits.Time)
		}
		w.setRoot(limits.Allow)
	}
	main := e.workers[0]
	if len(main.root.Items) == 0 {
		return Result[M]{Score: main.board.Stuck(), Done: true}
	}
	if e.Options.Random {
		move := main.random(e.Options.Seed)
		return Result[M]{Move: move, Found: true, Depth: 1, Nodes: 1, PV: []M{move}}
	}
	d := &deepening[M]{engine: e, main: main, others: e.workers[1:threads], limits: limits, start: start, report: report}
	d.result = Result[M]{Move: main.root.Items[0].Move, Found: true}
	d.runThreads()
	d.result.Nodes = d.nodes()
	d.result.Full = e.table.full()
	return d.result
}

// prepare applies the options and starts a new table generation.
func (e *Engine[M]) prepare() {
	e.Options.Tuning.prepare()
	e.Prepare()
	e.table.age()
	if e.Options.Threads > 1 {
		e.table.share()
	}
}
