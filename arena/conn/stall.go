package conn

import (
	"fmt"
	"time"

	"thera/arena/proc"
)

// Judge looks for proof that a limit passed because the machine stalled.
//
// Proof is only what the engine cannot make itself. Over the time by which the
// engine overran its limit, at least half must be lost to others: CPU time that
// others used on its processors, and time that the hypervisor stole from them.
// And its threads must have waited for a processor that long: an engine that
// sleeps beside a busy program loses nothing to it. Or the arena's own
// timer was that late, and the engine did not run in the meantime either.
//
// What each party could gain decides what is proof:
//
//   - The engine that was asked would void the games that it is losing. Its own
//     threads never help it: they are not others. They may wait for each other,
//     which is why waiting alone proves nothing. Sleeping threads do not wait.
//   - Its opponent could make it late, by thinking on its time. If that voided
//     the game, the opponent would void its lost games; if it were no proof at
//     all, the opponent would win by it. So it is the opponent's fault, if it
//     alone used two thirds of the processors. An opponent that only ponders,
//     with a thread for each processor, never comes to two thirds while one thread
//     of the engine waits half of the time: an engine cannot overrun on purpose
//     to have a pondering opponent blamed.
//   - Engines of other games, and the arena, count as others. They may be in
//     their own time, so nobody is at fault: the machine has too much to do.
//
// What is left to gain is a void, never a point: by CPU time of processes that
// the arena cannot know to be the engine's, or by an opponent that stays below
// two thirds. A void costs both games of the pair, and package tournament ends
// a run that has many.
//
// What cannot be read (/proc/stat, the waiting of threads) proves nothing. A CPU
// quota of a container is not seen.
type Judge struct {
	Machine Machine
	CPUs    []int // processors that the engine may use; empty: those of the arena
	Rival   Clock // CPU time of the opponent, nil if it is asked as well
}

// Machine is the source of what the processors did.
type Machine interface {
	// Usage is that of some processors since the system started, of all that
	// the arena may use if cpus is empty. ok is false if it is not known.
	Usage(cpus []int) (u proc.Usage, ok bool)
}

// Clock is a CPU clock.
type Clock interface{ CPU() time.Duration }

// Stall is why a limit passed that was not the engine's fault.
type Stall struct {
	Proof string // "" if there is none
	Rival bool   // its opponent used the processors
}

// Stall is the proof that the engine did not cause a limit to pass.
func (c *Conn) Stall() Stall { return c.stall }

// window is what was known when the window of the proof began.
type window struct {
	open       bool
	known      bool // usage could be read
	at         time.Time
	usage      proc.Usage
	own, rival time.Duration
	threads    map[int]proc.Thread // when it began
	waiting    map[int]waiting     // at the last look
	next       time.Time           // the next look
}

// waiting is a thread that may be waiting for a core.
type waiting struct {
	proc.Thread
	since time.Time // the first look at which it was as it is
}

// shortWindow is the shortest time over which processors are compared: the
// system counts their time in steps of 10 ms.
const shortWindow = 50 * time.Millisecond

// overrun is when the engine begins to be late: at the soft limit. Without one
// there is only the hard limit, which is generous: half of it.
func (l *Limits) overrun() time.Duration {
	if l.Soft > 0 {
		return min(l.Soft, l.Hard)
	}
	return l.Hard / 2
}

// look is when the window begins, so that engines that answer in time, or soon
// after they were asked to stop, cost nothing.
func (l *Limits) look() time.Duration {
	begin := max(min(l.overrun(), l.Hard-shortWindow), 0)
	return begin + max((l.Hard-begin)/16, time.Millisecond)
}

// sample opens the window, and looks at the engine's threads again and again
// while it is open. It returns when to look next. On a busy machine the arena
// may lose its core in between: that is not the engine's time.
func (c *Conn) sample(now time.Time) time.Time {
	if !c.window.open {
		c.openWindow()
	} else {
		c.window.sample(now, c.pipe.Threads())
	}
	end := time.Now()
	c.spare(end.Sub(now))
	c.window.next = end.Add(max((c.limits.Hard-c.window.at.Sub(c.t0))/16, shortSample))
	return c.window.next
}

// shortSample is the shortest time between two looks at threads. The system may
// count the time of a thread that runs only every 10 ms.
const shortSample = 10 * time.Millisecond

// openWindow reads all clocks. The window begins when they are read.
func (c *Conn) openWindow() {
	j, w := c.limits.Judge, &c.window
	*w = window{open: true, own: c.pipe.CPU()}
	if j.Rival != nil {
		w.rival = j.Rival.CPU()
	}
	if j.Machine != nil {
		w.usage, w.known = j.Machine.Usage(j.CPUs)
	}
	w.threads = c.pipe.Threads()
	w.at = time.Now()
	w.sample(w.at, w.threads)
}

// overslept takes by how much the arena woke too late. Before the hard limit,
// that is not the engine's time: its limit moves, and the overrun is less.
func (c *Conn) overslept(late time.Duration, until time.Time) {
	switch {
	case !until.Before(c.t0.Add(c.limits.Hard)):
		c.late = late
	default:
		c.spare(late)
	}
}

// spare takes time for which only the arena is to blame.
func (c *Conn) spare(late time.Duration) {
	if c.limits.Judge != nil {
		c.limits.Hard += late
		c.spared += late
	}
}

// judge looks for proof at the end of the window. cpu is what the engine used
// in the whole call.
func (c *Conn) judge(now time.Time, cpu time.Duration) {
	l, w := c.limits, &c.window
	l.Hard -= c.spared
	overrun := now.Sub(c.t0) - c.spared - l.overrun()
	if overrun < 0 {
		return
	}
	own := cpu
	if w.open {
		own = c.pipe.CPU() - w.own
	}
	if c.late > 0 && c.late-own >= overrun/2 {
		c.stall.Proof = fmt.Sprintf("the arena's own timer was %s late, the overrun was %s", short(c.late), short(overrun))
		return
	}
	if !w.open || !w.known {
		return
	}
	usage, known := l.Judge.Machine.Usage(l.Judge.CPUs)
	if !known || usage.CPUs == 0 {
		return
	}
	n, span := time.Duration(usage.CPUs), now.Sub(w.at)
	others := max(usage.Busy-w.usage.Busy-own, 0)
	stolen := max(usage.Stolen-w.usage.Stolen, 0)
	waited, longest := w.waited(now, c.pipe.Threads())
	if min(others/n, waited)+stolen/n <= max(overrun, span)/2 {
		return
	}
	c.stall.Proof = fmt.Sprintf("in the last %s others used %s of %d CPUs, %s were stolen, and it waited %s for a core; the overrun was %s (CPU %s)",
		short(span), short(others), n, short(stolen), short(waited), short(overrun), short(cpu))
	if l.Judge.Rival != nil {
		rival := l.Judge.Rival.CPU() - w.rival
		if c.stall.Rival = 3*rival >= 2*n*span && longest > max(overrun, span)/2; c.stall.Rival {
			c.stall.Proof = fmt.Sprintf("in the last %s it used %s of %d CPUs, and its opponent waited %s for a core", short(span), short(rival), n, short(waited))
		}
	}
}

// sample notes since when threads have been as they are.
func (w *window) sample(now time.Time, threads map[int]proc.Thread) {
	was := w.waiting
	w.waiting = make(map[int]waiting, len(threads))
	for number, t := range threads {
		since := now
		if before, known := was[number]; known && before.Thread == t {
			since = before.since
		}
		w.waiting[number] = waiting{t, since}
	}
}

// waited is how long the engine's threads waited for a core in the window, all
// together and the longest one. Work may move from thread to thread; but threads
// that wait for each other add up to any time.
func (w *window) waited(now time.Time, threads map[int]proc.Thread) (sum, longest time.Duration) {
	w.sample(now, threads)
	span := now.Sub(w.at)
	for number, t := range threads {
		was, known := w.threads[number]
		waited := t.Waited - was.Waited
		// The system counts a wait when it is over. A thread that neither ran
		// nor slept since an earlier look has waited since then, and one that
		// never slept waited whenever it did not run.
		if t.Runnable {
			waited += now.Sub(w.waiting[number].since)
			if known && was.Runnable && t.Sleeps == was.Sleeps {
				waited = max(waited, span-(t.Ran-was.Ran))
			}
		}
		waited = min(waited, span)
		sum, longest = sum+waited, max(longest, waited)
	}
	return sum, longest
}
