package player

import (
	"runtime"
	"time"
)

// The arena may be late itself: it gets no core, or the machine was frozen with all
// that runs. That is not the engine's time, and the beginning of its call moves by it.
// But an engine with hundreds of threads makes the arena wait for a core: what it gains
// by that is a fifth of its limit.

// awayLeast is more time than the arena takes between two waits if it has a core.
const awayLeast = 2 * time.Millisecond

// away spares the engine the time since the last wait, in which the arena had no core.
// What it takes to read what the engine says is the engine's doing.
func (c *Conn) away(now time.Time) {
	if away := now.Sub(c.last); away > awayLeast {
		if c.said {
			away = min(away, c.fifth())
		}
		c.spare(away, now)
	}
}

// overslept spares the engine the time by which a wait from some time until another
// ended late. At the hard limit it may have been frozen before as well: then it gets the
// time again, once.
func (c *Conn) overslept(from, until time.Time) {
	late := c.last.Sub(until)
	if !c.again && !until.Before(c.t0.Add(c.limits.Hard)) {
		c.again = true
		late += min(late, until.Sub(from))
	}
	c.spare(late, c.last)
}

func (c *Conn) spare(late time.Duration, now time.Time) {
	late = c.granted(late, c.fifth(), now)
	c.t0 = c.t0.Add(late)
	c.spared += late
}

// fifth is what is left of the time by which the limit of a call may move without
// asking who made the arena late.
func (c *Conn) fifth() time.Duration { return max(c.limits.Hard/5-c.spared, 0) }

// cores are those of the arena.
var cores = time.Duration(runtime.GOMAXPROCS(0))

// granted is the part of a delay of the arena, up to now, that is not the engine's
// doing: beyond most it gets nothing if it used nearly all that the arena's cores had.
func (c *Conn) granted(late, most time.Duration, now time.Time) time.Duration {
	if late <= most {
		return late
	}
	c.readCPU(now, c.pipe.CPUNow())
	if used := c.cpu - c.before.cpu; used/cores*4/3 >= now.Sub(c.before.at) {
		return most
	}
	return late
}

// overdue reports whether the hard limit passed so long before now that what is read
// then came too late, however late the arena is.
func (c *Conn) overdue(now time.Time) bool {
	late := now.Sub(c.t0) - c.limits.Hard
	return late > 0 && c.granted(late, c.fifth(), now) < late
}
