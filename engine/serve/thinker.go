package serve

import (
	"context"
	"sync"
	"sync/atomic"
)

// Thinker runs one computation at a time beside the reading of commands. Its
// zero value is ready. Start, Stop and Wait are for one goroutine; Busy for
// any.
type Thinker struct {
	busy   atomic.Bool
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// Start stops what still runs and begins think on a goroutine of its own.
// think must return soon after its context ends.
func (t *Thinker) Start(ctx context.Context, think func(ctx context.Context)) {
	t.Stop()
	ctx, t.cancel = context.WithCancel(ctx)
	t.busy.Store(true)
	t.done.Go(func() {
		defer t.busy.Store(false)
		think(ctx)
	})
}

// Stop ends the computation, if one runs, and returns when it has ended.
func (t *Thinker) Stop() {
	if t.cancel != nil {
		t.cancel()
		t.cancel = nil
	}
	t.done.Wait()
}

// Wait returns when the computation has ended by itself.
func (t *Thinker) Wait() { t.done.Wait() }

// Busy reports whether a computation runs.
func (t *Thinker) Busy() bool { return t.busy.Load() }
