package player

import "time"

// Elapsed is the time from the first byte sent to the last line read since
// Arm, 0 if nothing was asked. It is at most the hard limit: by what the arena was
// late, the limit moved or was already over.
func (c *Conn) Elapsed() time.Duration {
	if !c.began || c.last.IsZero() {
		return 0
	}
	return min(c.last.Sub(c.t0), c.limits.Hard-c.spared)
}

// Used ends the measurement of a call. own is the CPU time that the engine
// used during the call, idle the CPU time between the last measured call and
// the first byte of this one. Both are 0 if nothing was asked.
//
// Used does not read the clock after calls so short that reading it costs more
// than the engine used. Up to 50 µs are booked on the next call that reads it.
func (c *Conn) Used() (own, idle time.Duration) {
	if !c.began {
		return 0, 0
	}
	idle = c.cpu0 - c.mark
	if c.limits.HardCPU > 0 || c.last.Sub(c.t0) >= shortest || c.last.Sub(c.cpuAt) >= 4*shortest {
		c.readCPU(c.last)
	}
	own = c.cpu - c.cpu0
	c.mark, c.settled = c.cpu, c.last
	return own, idle
}

// Idle is the CPU time used since the last measured call.
func (c *Conn) Idle() time.Duration { return max(0, c.pipe.CPU()-c.mark) }

// Mark discards the CPU time used so far: the engine was entitled to it.
func (c *Conn) Mark() {
	c.settled = time.Now()
	c.readCPU(c.settled)
	c.mark = c.cpu
}

// shortest is the time below which CPU use is not worth reading.
const shortest = 50 * time.Microsecond

func (c *Conn) readCPU(now time.Time) {
	c.before, c.cpu, c.cpuAt = reading{c.cpu, c.cpuAt}, c.pipe.CPU(), now
}

// reading is one of a CPU clock.
type reading struct {
	cpu time.Duration
	at  time.Time
}
