// Package serve is what the built-in engines share between their protocol and
// their search: one search at a time, which commands can stop, and output in
// whole lines from any goroutine.
//
// It knows no protocol and no game.
package serve

import (
	"context"
	"sync"
	"sync/atomic"
)

// Thinker runs one computation at a time while commands are read. The zero
// value is ready to use. Start, Stop and Wait belong to one goroutine; any may
// call Busy.
type Thinker struct {
	busy   atomic.Bool
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// Start stops the computation that still runs and calls think on a new
// goroutine. think must return soon after its context ends.
func (t *Thinker) Start(ctx context.Context, think func(ctx context.Context)) {
	t.Stop()
	ctx, t.cancel = context.WithCancel(ctx)
	t.busy.Store(true)
	t.done.Go(func() {
		defer t.busy.Store(false)
		think(ctx)
	})
}

// Stop cancels the computation, if one runs, and waits for its end.
func (t *Thinker) Stop() {
	if t.cancel != nil {
		t.cancel()
		t.cancel = nil
	}
	t.done.Wait()
}

// Wait waits for the end of the computation.
func (t *Thinker) Wait() { t.done.Wait() }

// Busy reports whether a computation runs.
func (t *Thinker) Busy() bool { return t.busy.Load() }
