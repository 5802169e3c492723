package player

import (
	"cmp"
	"fmt"
	"time"

	"thera/arena/proc"
	"thera/engine/game"
)

// limit is a kind of limit.
type limit uint8

const (
	softLimit limit = iota
	hardLimit       // by wall clock or CPU time
	limitKinds
	noLimit = limitKinds
)

// next returns how long to wait from now on, or the limit that has passed.
func (c *Conn) next(now time.Time) (left time.Duration, passed limit) {
	l, used := &c.limits, now.Sub(c.t0)
	if left = l.Hard - used; left <= 0 {
		return 0, hardLimit
	}
	if l.Soft > 0 && !c.softDone {
		if used >= l.Soft {
			return 0, softLimit
		}
		left = min(left, l.Soft-used)
	}
	if l.HardCPU > 0 {
		spent, passed := c.spend(now)
		if passed != noLimit {
			return 0, passed
		}
		left = min(left, spent)
	}
	if l.Judge != nil && c.window == nil {
		if look := l.look() - used; look > 0 {
			left = min(left, look)
		} else {
			c.window = make(chan window, 1)
			go openWindow(c.window, c.pipe, *l.Judge, asked{time.Now(), c.pipe.CPU(), c.spared})
		}
	}
	return left, noLimit
}

// pass acts on a limit that has passed at now. The arena may have been
// delayed, so it first reads what the engine wrote in the meantime and checks
// how it exited. The verdict must not depend on when the arena was scheduled.
func (c *Conn) pass(now time.Time, passed limit) error {
	if !c.heardOut[passed] && !c.overdue(now) {
		c.heardOut[passed] = true
		there, err := c.tryRead(pipeSize)
		if there || err != nil {
			end := c.limits.Hard
			if passed == softLimit && c.limits.Soft > 0 {
				end = c.limits.Soft
			}
			c.last = c.t0.Add(min(now.Sub(c.t0), end)) // nobody looked in between
			return err
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
	if passed == softLimit {
		c.stopSpending(now)
		c.softDone = true
		return game.ErrSoft
	}
	return c.overtime(now, "")
}

// overtime is the fault for a hard limit that passed.
func (c *Conn) overtime(now time.Time, why string) error {
	c.last = now
	if err := c.killed(); err != nil { // and not gone yet
		return err
	}
	l := &c.limits
	// An engine may read the question, close its input and still answer. If it
	// then exceeds its limit, that is more than a slow answer.
	if l.Kind == game.FaultTimeout && (c.inClosed || c.pipe.InputClosed()) {
		return c.endFault()
	}
	if why == "" {
		why = l.Detail
	}
	used, cpu := now.Sub(c.t0), c.pipe.CPUNow()-c.cpu0
	figures := fmt.Sprintf("used %s of %s, CPU %s", short(used), short(cmp.Or(l.Soft, l.Hard)), short(cpu))
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

// endFault is the fault of an engine that closed its output or its input. It waits,
// because how an engine exited says more than that it closed a pipe.
func (c *Conn) endFault() error {
	over, err := c.awaitEnd(exitSoon)
	if err == nil {
		err = c.killed()
	}
	exit, _ := c.pipe.Exited()
	switch {
	case err != nil:
		return err
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
	for _, wait := range [2]time.Duration{patience, dying} {
		c.pipe.AwaitEnd(wait, c.ctx.Done())
		if c.ctx.Err() != nil {
			return false, c.ctx.Err()
		}
		if !c.pipe.Ending() {
			return false, nil
		}
	}
	_, over = c.pipe.Exited()
	return over, nil
}

// died is the fault of an engine whose last line was cut off, nil if the line
// was whole. Half a line is not a protocol fault.
func (c *Conn) died() error {
	if !c.cut {
		return nil
	}
	return c.endFault()
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

// short prints a duration with two or three digits.
func short(d time.Duration) string {
	for _, step := range []time.Duration{10 * time.Second, time.Second, 10 * time.Millisecond} {
		if d >= step {
			return d.Round(step / 100).String()
		}
	}
	return d.Round(10 * time.Microsecond).String()
}

var _ Pipe = (*proc.Process)(nil)
