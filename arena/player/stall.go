package player

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"thera/arena/proc"
)

// Judge looks for proof that a limit passed because the machine stalled.
//
// Proof is only what the engine cannot make itself. Over the time by which the
// engine overran its limit, at least half must be lost to others: CPU time that
// others used on its processors, and time that the hypervisor stole from them.
// And its threads must have waited for a processor that long: an engine that
// sleeps beside a busy program loses nothing to it.
// An engine that hangs would be late on any machine: hear finds out.
//
// A busy machine makes the look at it late too, and what was before is not seen. The time for
// which the arena waited for a core to look counts as lost, unless the engine may be the reason:
// if it used half of the processors' time itself, or if the limit moved by this time already.
//
// What each party could gain decides what is proof:
//
//   - The engine that was asked would void the games that it is losing. Its
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
//     their time, so nobody is at fault: the machine has too much to do.
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

	// Rival is CPU time of the opponent while it should not think; nil if it does not run.
	Rival func() time.Duration
}

// Machine is the source of what the processors did.
type Machine interface {
	// Usage is that of some processors since the system started, of all that
	// the arena may use if cpus is empty. ok is false if it is not known.
	Usage(cpus []int) (u proc.Usage, ok bool)
}

// Stall is why a limit passed that was not the engine's fault.
type Stall struct {
	Proof string // "" if there is none
	Rival bool   // its opponent used the processors
}

// Stall is the proof that the engine did not cause a limit to pass.
func (c *Conn) Stall() Stall { return c.stall }

// window is what was known when the window of the proof began.
type window struct {
	at         time.Time
	asked      asked
	late       time.Duration // from asked to at, in which the arena waited for a core
	known      bool          // usage could be read
	usage      proc.Usage
	cpu, rival time.Duration
	threads    map[int]proc.Thread
}

// asked is what was known when the look was asked for.
type asked struct {
	at          time.Time
	cpu, spared time.Duration
}

// looking bounds the wait for a look that is not over when the limit has passed.
const looking = time.Second

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

// openWindow looks at the machine and both engines. It may take long, on a busy machine and at an engine of many
// threads and processes. So nobody waits for it: the engine's answer is read meanwhile,
// and its time goes on.
func openWindow(into chan<- window, pipe Pipe, j Judge, a asked) {
	runtime.LockOSThread() // whose waits are counted
	defer runtime.UnlockOSThread()
	begun := time.Now()
	first, _ := j.Machine.Usage(j.CPUs)
	w := window{asked: a, cpu: pipe.CPUNow()}
	if j.Rival != nil {
		w.rival = j.Rival()
	}
	w.threads = pipe.Threads()
	w.usage, w.known = j.Machine.Usage(j.CPUs)
	w.late = begun.Sub(a.at) + w.usage.Waited - first.Waited
	w.at = time.Now()
	into <- w
}

// hear gives an engine that was late because the machine stalled another chance to
// answer: the CPU time that it lacks to the whole limit, or that of the grace. The
// answer is not used. But an engine that gives none hangs: it would have been late
// on any machine, and the stall is no proof any more.
func (c *Conn) hear(ctx context.Context, answer func(ctx context.Context) error) {
	fault, stall, l := c.fault, c.stall, c.limits
	if stall.Proof == "" || !c.ClearFault() {
		return
	}
	c.readCPU(c.last, c.pipe.CPU())
	grace := max(l.Hard-l.overrun(), shortWindow)
	more := max(grace, min(l.Hard-(c.cpu-c.cpu0), hearing/20))
	c.Arm(Limits{Hard: hearing, HardCPU: more, Idle: grace, Kind: l.Kind, Cores: l.Cores})
	_ = answer(ctx)
	hangs := c.fault != nil && c.fault.Kind == l.Kind && c.last.Sub(c.t0) < hearing
	if c.fault, c.stall = fault, stall; hangs {
		c.stall = Stall{}
		fault.Detail += fmt.Sprintf("; heard once more on a busy machine, it gave no answer in %s",
			short(c.last.Sub(c.t0)))
	}
}

// hearing bounds the time for an engine that is heard. What needs longer remains a
// stall.
const hearing = 30 * time.Second

// judge looks for proof at the end of the window. cpu is what the engine used
// in the whole call.
func (c *Conn) judge(now time.Time, cpu time.Duration) {
	if c.window == nil {
		return
	}
	var w window
	select {
	case w = <-c.window:
	case <-time.After(looking):
		return
	}
	j := c.limits.Judge
	usage, known := j.Machine.Usage(j.CPUs)
	if !w.known || !known || usage.CPUs == 0 {
		return
	}
	n, span, used := time.Duration(usage.CPUs), now.Sub(w.at), c.pipe.CPUNow()-w.cpu
	overrun := now.Sub(c.t0) - c.limits.overrun()
	others := max(usage.Busy-w.usage.Busy-used, 0)
	stolen := max(usage.Stolen-w.usage.Stolen, 0)
	var threads map[int]proc.Thread
	if span > 0 {
		threads = c.pipe.Threads()
	}
	waited, most := w.waited(now, threads, used), max(overrun, span)
	late := max(w.late-max(-span, 0)-(c.spared-w.asked.spared), 0)
	if c.pipe.CPUNow()-w.asked.cpu > n*late/2 {
		late = 0
	}
	if min(others/n, waited)+stolen/n+late <= most/2 {
		return
	}
	c.stall.Proof = fmt.Sprintf("in the last %s others used %s of %d CPUs, %s were stolen, "+
		"and it waited %s for a core; before that the arena waited %s; the overrun was %s (CPU %s)",
		short(max(span, 0)), short(others), n, short(stolen), short(waited), short(late), short(overrun), short(cpu))
	if j.Rival == nil {
		return
	}
	rival := j.Rival() - w.rival
	if c.stall.Rival = 3*rival >= 2*n*span && waited > most/2; c.stall.Rival {
		c.stall.Proof = fmt.Sprintf("in the last %s it used %s of %d CPUs, and its opponent waited %s for a core",
			short(span), short(rival), n, short(waited))
	}
}

// waited is how long the engine's threads waited for a core in the window. Work may move
// from thread to thread; but threads that wait for each other add up to any time: so what
// the others ran, of the time that all used, is no part of a thread's share.
func (w *window) waited(now time.Time, threads map[int]proc.Thread, used time.Duration) time.Duration {
	var sum time.Duration
	for number, t := range threads {
		was, known := w.threads[number]
		ran, waited := t.Ran-was.Ran, t.Waited-was.Waited
		// The system counts a wait when it is over. A thread that never slept waited
		// whenever it did not run.
		if known && was.Runnable && t.Runnable && t.Sleeps == was.Sleeps {
			waited = max(waited, now.Sub(w.at)-ran)
		}
		sum += max(min(waited, now.Sub(w.at))-max(used-ran, 0), 0)
	}
	return sum
}
