package conn

import (
	"fmt"
	"time"

	"thera/arena/proc"
	"thera/engine/game"
)

// limit is a kind of limit that passes.
type limit uint8

const (
	softLimit    limit = iota
	hardLimit          // by the clock or by CPU time
	refusedLimit       // the time to end of an engine that closed its input
	limitKinds
	noLimit = limitKinds
)

// next says until when to wait at now, or what has passed.
func (c *Conn) next(now time.Time) (time.Time, limit) {
	l := &c.limits
	used := now.Sub(c.t0)
	if used >= l.Hard {
		return now, hardLimit
	}
	until := c.t0.Add(l.Hard)
	earlier := func(t time.Time) {
		if t.Before(until) {
			until = t
		}
	}
	if l.Soft > 0 && !c.softDone {
		if used >= l.Soft {
			return now, softLimit
		}
		earlier(c.t0.Add(l.Soft))
	}
	if l.HardCPU > 0 {
		cpu := c.pipe.CPU() - c.cpu0
		left := l.HardCPU - cpu
		if left <= 0 {
			return now, hardLimit
		}
		if l.SoftCPU > 0 && !c.softDone {
			if left = l.SoftCPU - cpu; left <= 0 {
				return now, softLimit
			}
		}
		// It cannot be used up faster than by all cores at once.
		earlier(now.Add(max(left/time.Duration(max(l.Cores, 1)), 100*time.Microsecond)))
	}
	if l.Judge && !c.delayed {
		look := c.t0.Add(max(l.Soft/8, time.Millisecond))
		if !now.Before(look) {
			c.delay0, c.delayed = c.pipe.RunDelay(), true
		} else {
			earlier(look)
		}
	}
	// An engine that never heard the question will not answer it. At the start
	// it may have nothing to hear, and has its time to say that it is ready.
	if !c.refused.IsZero() && l.Kind != game.FaultStartTimeout {
		end := c.refused.Add(settle)
		if !now.Before(end) {
			return now, refusedLimit
		}
		earlier(end)
	}
	return until, noLimit
}

// pass acts on a limit that has passed at now. The arena may have looked away
// for long: what the engine said meanwhile, and how it ended, comes first, so
// that the verdict does not depend on when the arena looked.
func (c *Conn) pass(now time.Time, passed limit) error {
	if !c.heardOut[passed] {
		c.heardOut[passed] = true
		c.reserve(pipeSize)
		if n, there, err := c.pipe.TryRead(c.buf[c.to:]); there {
			c.last = c.by(now, passed)
			return c.fill(n, err)
		}
	}
	if c.pipe.Ending() {
		over, err := c.awaitEnd(0)
		if err != nil {
			return err
		}
		if over {
			return c.lastWords()
		}
	}
	c.last = now
	switch passed {
	case softLimit:
		c.softDone = true
		return game.ErrSoft
	case refusedLimit:
		return c.dead(0)
	}
	return c.overtime(now, "")
}

// by is when a line was there at the latest that is read at now, after a limit
// by the clock: nobody looked before, and the doubt is the engine's.
func (c *Conn) by(now time.Time, passed limit) time.Time {
	end := c.t0.Add(c.limits.Hard)
	if passed == softLimit && c.limits.Soft > 0 {
		end = c.t0.Add(c.limits.Soft)
	}
	if end.Before(now) {
		return end
	}
	return now
}

// overtime is the fault of a hard limit that passed.
func (c *Conn) overtime(now time.Time, why string) error {
	if over := c.pipe.OverMemory(); over > 0 { // killed for that, and not gone yet
		return c.overMemory(over)
	}
	l := &c.limits
	// It may close its input when it has heard the question and still answer;
	// but what passes its limit then does not only think for too long.
	if l.Kind == game.FaultTimeout && (c.inClosed || c.pipe.InputClosed()) {
		return c.dead(settle)
	}
	used, cpu := now.Sub(c.t0), c.pipe.CPU()-c.cpu0
	if why == "" && l.Detail != "" {
		why = l.Detail
	}
	allowed := l.Soft
	if l.Soft == 0 {
		allowed = l.Hard
	}
	figures := fmt.Sprintf("used %s of %s, CPU %s", short(used), short(allowed), short(cpu))
	if l.HardCPU > 0 && used < l.Hard {
		figures = fmt.Sprintf("used %s CPU of %s, %s by the clock", short(cpu), short(l.SoftCPU), short(used))
	} else if l.Judge {
		overrun := used - allowed
		if l.Soft == 0 {
			// Without grace there is only the hard limit, generous by itself:
			// an engine that was kept waiting for a quarter of it was kept.
			overrun = used - l.Hard/2
		}
		c.judge(overrun, cpu)
	}
	if why != "" {
		figures = why + " (" + figures + ")"
	}
	return c.fail(l.Kind, "%s", figures)
}

// judge looks for proof that the machine, not the engine, lost the time: half
// of the overrun was spent waiting for a core, or our own timer was that late.
// Little CPU alone proves nothing: an engine may sleep.
func (c *Conn) judge(overrun, cpu time.Duration) {
	if overrun <= 0 {
		return
	}
	if c.late >= overrun/2 {
		c.stall = fmt.Sprintf("the arena's own timer was %s late, the overrun was %s", short(c.late), short(overrun))
		return
	}
	if !c.delayed {
		return
	}
	if delay := c.pipe.RunDelay() - c.delay0; delay >= overrun/2 {
		c.stall = fmt.Sprintf("the engine waited %s for a core, the overrun was %s (CPU %s)", short(delay), short(overrun), short(cpu))
	}
}

// dead is the fault of an engine that will say no more, or hears no more. It
// has patience to end by itself: how it ended says more than that it closed a
// pipe.
func (c *Conn) dead(patience time.Duration) error {
	if _, err := c.awaitEnd(patience); err != nil {
		return err
	}
	exit, over := c.pipe.Exited()
	switch {
	case c.pipe.OverMemory() > 0:
		return c.overMemory(c.pipe.OverMemory())
	case over && exit.Signal != 0:
		return c.fail(game.FaultCrashed, "%s", exit)
	case over:
		return c.fail(game.FaultExited, "%s", exit)
	case c.ended:
		return c.fail(game.FaultClosedOut, "")
	}
	return c.fail(game.FaultClosedIn, "")
}

// awaitEnd waits for the end of the process: for patience, and for as long as
// it takes where the end has begun. The error is the context's.
func (c *Conn) awaitEnd(patience time.Duration) (over bool, err error) {
	var cancelled <-chan struct{}
	if c.ctx != nil {
		cancelled = c.ctx.Done()
	}
	for _, wait := range [2]time.Duration{patience, dying} {
		c.pipe.AwaitEnd(wait, cancelled)
		if c.ctx != nil && c.ctx.Err() != nil {
			return false, c.ctx.Err()
		}
		if !c.pipe.Ending() {
			return false, nil
		}
	}
	_, over = c.pipe.Exited()
	return over, nil
}

// Died names the end of an engine whose last line had no end, nil where the
// last line was whole: half a line is no answer that the protocol forbids.
func (c *Conn) Died() error {
	if !c.cut {
		return nil
	}
	return c.dead(settle)
}

func (c *Conn) overMemory(bytes int64) error {
	return c.fail(game.FaultMemory, "%d MiB resident", bytes>>20)
}

// Pardon lets the connection live on after a limit that passed, where the
// game forgives it. It reports whether that was all that was wrong.
func (c *Conn) Pardon() bool {
	if c.fault == nil {
		return true
	}
	if c.pipe.Ending() || c.ended || c.inClosed || c.fault.Kind != c.limits.Kind {
		return false
	}
	c.fault = nil
	return true
}

func (c *Conn) fail(kind game.FaultKind, format string, args ...any) error {
	c.fault = &game.Fault{Kind: kind, Detail: fmt.Sprintf(format, args...)}
	return c.fault
}

// short prints a duration with three figures or so.
func short(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= 10*time.Millisecond:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(10 * time.Microsecond).String()
}

var _ Pipe = (*proc.Process)(nil)
