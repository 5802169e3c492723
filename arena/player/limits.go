package player

import (
	"fmt"
	"time"

	"thera/arena/proc"
	"thera/engine/game"
)

// limit is a kind of limit.
type limit uint8

const (
	softLimit    limit = iota
	hardLimit          // by wall clock or CPU time
	refusedLimit       // the time to exit for an engine that closed its input
	limitKinds
	noLimit = limitKinds
)

// next returns until when to wait at now, or the limit that has passed.
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
		spent, passed := c.spend(now)
		if passed != noLimit {
			return now, passed
		}
		earlier(spent)
	}
	if l.Judge != nil {
		sample := c.window.next
		if !c.window.open {
			sample = c.t0.Add(l.look())
		}
		if !now.Before(sample) {
			sample = c.sample(now)
		}
		earlier(sample)
	}
	// An engine that never read the question will not answer it. At its start
	// an engine may have nothing to read, and has its full start time.
	if !c.refused.IsZero() && l.Kind != game.FaultStartTimeout {
		end := c.refused.Add(settle)
		if !now.Before(end) {
			return now, refusedLimit
		}
		earlier(end)
	}
	return until, noLimit
}

// pass acts on a limit that has passed at now. The arena may have been
// delayed, so it first reads what the engine wrote in the meantime and checks
// how it exited. The verdict must not depend on when the arena was scheduled.
func (c *Conn) pass(now time.Time, passed limit) error {
	if !c.heardOut[passed] && !c.overdue(now) {
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
		c.stopSpending(now)
		c.softDone = true
		return game.ErrSoft
	case refusedLimit:
		return c.endFault(0)
	}
	return c.overtime(now, "")
}

// by is the latest time at which a line read at now, after a wall clock limit,
// can have arrived. Nobody looked in between, so the engine gets the benefit
// of the doubt.
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

// overtime is the fault for a hard limit that passed.
func (c *Conn) overtime(now time.Time, why string) error {
	if err := c.killed(); err != nil { // and not gone yet
		return err
	}
	l := &c.limits
	// An engine may read the question, close its input and still answer. If it
	// then exceeds its limit, that is more than a slow answer.
	if l.Kind == game.FaultTimeout && (c.inClosed || c.pipe.InputClosed()) {
		return c.endFault(settle)
	}
	used, cpu := now.Sub(c.t0), c.pipe.CPUNow()-c.cpu0
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
		if cpu < l.HardCPU {
			figures += ", and idles"
		}
	} else if l.Judge != nil {
		c.judge(now, cpu)
	}
	if why != "" {
		figures = why + " (" + figures + ")"
	}
	return c.fail(l.Kind, "%s", figures)
}

// endFault is the fault of an engine that closed its output or its input. It waits
// for patience, because how an engine exited says more than that it closed a
// pipe.
func (c *Conn) endFault(patience time.Duration) error {
	if _, err := c.awaitEnd(patience); err != nil {
		return err
	}
	if err := c.killed(); err != nil {
		return err
	}
	exit, over := c.pipe.Exited()
	switch {
	case over && exit.Signal != 0:
		return c.fail(game.FaultCrashed, "%s", exit)
	case over:
		return c.fail(game.FaultExited, "%s", exit)
	case c.ended:
		return c.fail(game.FaultClosedOut, "")
	}
	return c.fail(game.FaultClosedIn, "")
}

// awaitEnd waits for patience for the process to exit, and longer if the exit
// has begun. The error is the context's.
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

// Died is the fault of an engine whose last line was cut off, nil if the line
// was whole. Half a line is not a protocol fault.
func (c *Conn) Died() error {
	if !c.cut {
		return nil
	}
	return c.endFault(settle)
}

// killed is the fault of an engine that the arena killed for more than it may have.
func (c *Conn) killed() error {
	if over := c.pipe.OverMemory(); over > 0 {
		return c.fail(game.FaultMemory, "%d MiB resident", over>>20)
	}
	if why := c.pipe.Misuse(); why != "" {
		return c.fail(game.FaultIdle, "%s", why)
	}
	return nil
}

// ClearFault makes the connection usable again after a limit passed. It
// reports whether the connection is usable.
func (c *Conn) ClearFault() bool {
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

// short prints a duration with about three digits.
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
