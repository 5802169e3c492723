package line

import (
	"context"
	"fmt"
	"time"

	"thera/arena/proc"
	"thera/engine/game"
)

// next says until when to wait at now, or what has passed: ErrSoft, once, or a
// fault.
func (c *Conn) next(now time.Time) (time.Time, error) {
	l := &c.limits
	used := now.Sub(c.t0)
	if used >= l.Hard {
		return now, c.overtime(now, "")
	}
	until := c.t0.Add(l.Hard)
	earlier := func(t time.Time) {
		if t.Before(until) {
			until = t
		}
	}
	if l.Soft > 0 && !c.softDone {
		if used >= l.Soft {
			c.softDone = true
			return now, game.ErrSoft
		}
		earlier(c.t0.Add(l.Soft))
	}
	if l.HardCPU > 0 {
		cpu := c.pipe.CPU() - c.cpu0
		left := l.HardCPU - cpu
		if left <= 0 {
			return now, c.overtime(now, "")
		}
		if l.SoftCPU > 0 && !c.softDone {
			if left = l.SoftCPU - cpu; left <= 0 {
				c.softDone = true
				return now, game.ErrSoft
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
	if c.inClosed {
		earlier(now.Add(settle))
	}
	return until, nil
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
		c.inClosed = true
		return c.dead(c.ctx)
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

// dead is the fault of an engine that will say no more.
func (c *Conn) dead(ctx context.Context) error {
	patience := settle
	if c.waited {
		patience = 0
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-c.pipe.Done():
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	exit, over := c.pipe.Exited()
	switch {
	case c.pipe.OverMemory() > 0:
		return c.overMemory(c.pipe.OverMemory())
	case !over && c.inClosed:
		return c.fail(game.FaultClosedIn, "")
	case !over:
		return c.fail(game.FaultClosedOut, "")
	case exit.Signal != 0:
		return c.fail(game.FaultCrashed, "%s", exit)
	}
	return c.fail(game.FaultExited, "%s", exit)
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
	if _, over := c.pipe.Exited(); over || c.ended || c.inClosed || c.fault.Kind != c.limits.Kind {
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
