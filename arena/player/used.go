package player

import "time"

// clock is what is known of the engine's CPU clock.
type clock struct {
	reading         // the last one
	before  reading // one of some time before that
	cpu0    time.Duration
	mark    time.Duration // when the last measured call ended
	settled time.Time     // the time of mark
}

// reading is one of a CPU clock.
type reading struct {
	cpu time.Duration
	at  time.Time
}

// shortest is the time below which CPU use is not worth reading. The last reading serves for four times as long.
const shortest = 50 * time.Microsecond

func (c *clock) readCPU(now time.Time, cpu time.Duration) {
	if now.Sub(c.at) >= awayLeast {
		c.before = c.reading
	}
	c.reading = reading{cpu, now}
}

// elapsed is the time from the first byte sent to the last line read since
// Arm, without what the arena was late; 0 if nothing was asked.
func (c *Conn) elapsed() time.Duration {
	return max(min(c.last.Sub(c.t0), c.limits.Hard), 0)
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
	if c.limits.HardCPU > 0 || c.last.Sub(c.t0) >= shortest || c.last.Sub(c.at) >= 4*shortest {
		c.readCPU(c.last, c.used())
	}
	own = c.cpu - c.cpu0
	c.mark, c.settled = c.cpu, c.last
	return own, idle
}

// used is the engine's CPU time where a question begins or ends. Where it decides, an old reading would book the time
// from before a question on it.
func (c *Conn) used() time.Duration {
	if c.limits.HardCPU > 0 {
		return c.pipe.CPUNow()
	}
	return c.pipe.CPU()
}

// Idle is the CPU time used since the last measured call.
func (c *Conn) Idle() time.Duration { return max(0, c.pipe.CPU()-c.mark) }

// discardCPU discards the CPU time used so far: the engine was entitled to it.
func (c *Conn) discardCPU() {
	c.settled = time.Now()
	c.readCPU(c.settled, c.pipe.CPU())
	c.mark = c.cpu
}
