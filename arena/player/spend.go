package player

import "time"

// An engine with a limit of CPU time gets no limit by the clock: one that keeps such a
// limit would lose the time that it waits for a core. The arena stops it when it has used
// its CPU time. An engine that knows its move may idle until then: the arena stops it too
// when it has used almost nothing for a while and no thread waits for a core.

// idleSoon is how long an engine may idle before it is asked for its move.
const idleSoon = 50 * time.Millisecond

// spend returns how long to wait under a limit of CPU time, or the limit that has
// passed. The hard one passes only when the engine was asked to stop.
func (c *Conn) spend(now time.Time) (time.Duration, limit) {
	l := &c.limits
	c.readCPU(now, c.pipe.CPU())
	most, patience, passed := l.HardCPU, l.Idle, hardLimit
	if l.SoftCPU > 0 && !c.softDone {
		most, patience, passed = l.SoftCPU, idleSoon, softLimit
	}
	left := most - (c.cpu - c.cpu0)
	if left <= 0 {
		return 0, passed
	}
	// All cores together cannot use it up faster.
	left = max(left/time.Duration(max(l.Cores, 1)), 100*time.Microsecond)
	if patience == 0 {
		return left, noLimit
	}
	// The threads of a runtime wake up now and then.
	busy := c.idle.at.IsZero() || c.cpu-c.idle.cpu > patience/50
	if !busy && now.Sub(c.idle.at) >= patience {
		if busy = c.works(); !busy {
			return 0, passed
		}
	}
	if busy {
		c.idle = reading{c.cpu, now}
	}
	return min(left, patience-now.Sub(c.idle.at)), noLimit
}

// works reports whether a thread of the engine runs, or waits for a core or a disk,
// or whether that is not known.
func (c *Conn) works() bool {
	threads := c.pipe.Threads()
	for _, t := range threads {
		if t.Runnable || t.Reads {
			return true
		}
	}
	return len(threads) == 0
}

// stopSpending is called when the engine is asked to stop. What it spent because the
// arena was late is not held against it.
func (c *Conn) stopSpending(now time.Time) {
	if l := &c.limits; l.SoftCPU > 0 {
		if late := c.cpu - c.cpu0 - l.SoftCPU; late > 0 {
			l.HardCPU += c.granted(late, l.HardCPU/5, now)
		}
		c.idle = reading{c.cpu, now}
	}
}
