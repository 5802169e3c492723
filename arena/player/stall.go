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
// sleeps beside a busy program loses nothing to it. Or the arena's own
// timer was that late, and the engine did not run in the meantime either.
// An engine that hangs would be late on any machine: Hear finds out.
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
type Clock interface{ CPUNow() time.Duration }

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

// sight is what a look at the engine and the machine found.
type sight struct {
	began time.Time
	window
}

// sample opens the window, and looks at the engine's threads again and again
// while it is open. It returns when to look next. A look may take long, on a busy
// machine and at an engine of many threads and processes. So nobody waits for
// it: the engine's answer is read meanwhile, and its time goes on.
func (c *Conn) sample(now time.Time) time.Time {
	select {
	case s := <-c.sights:
		c.sights = nil
		if w := &c.window; !w.open {
			*w = s.window
			w.open = true
			w.sample(w.at, w.threads)
			// What it took before the window began is no time for a proof.
			c.extend(min(w.at.Sub(s.began), c.fifth()))
		} else {
			w.sample(s.at, s.threads)
		}
		c.window.next = now.Add(max((c.limits.Hard-c.window.at.Sub(c.t0))/16, shortSample))
	default:
		if c.sights == nil {
			c.sights = make(chan sight, 1)
			go look(c.sights, now, c.pipe, *c.limits.Judge, !c.window.open)
		}
		c.window.next = now.Add(shortSample)
	}
	return c.window.next
}

// shortSample is the shortest time between two looks at threads. The system may
// count the time of a thread that runs only every 10 ms.
const shortSample = 10 * time.Millisecond

// look reads the engine's threads, and at first all other clocks. It begins when
// they are read.
func look(into chan<- sight, began time.Time, pipe Pipe, j Judge, first bool) {
	s := sight{began: began}
	if first {
		s.own = pipe.CPUNow()
		if j.Rival != nil {
			s.rival = j.Rival.CPUNow()
		}
		if j.Machine != nil {
			s.usage, s.known = j.Machine.Usage(j.CPUs)
		}
	}
	s.threads = pipe.Threads()
	s.at = time.Now()
	into <- s
}

// overslept takes when the arena woke that wanted to until. Before the hard limit,
// that is not the engine's time: its limit moves, and the overrun is less.
func (c *Conn) overslept(now, until time.Time) {
	if late := now.Sub(until); until.Before(c.t0.Add(c.limits.Hard)) {
		c.spare(late, now)
	} else {
		c.late = late
	}
}

// spare moves the limit by time for which only the arena is to blame.
func (c *Conn) spare(late time.Duration, now time.Time) {
	if c.limits.Judge != nil {
		c.extend(c.granted(late, c.fifth(), now))
	}
}

func (c *Conn) extend(late time.Duration) {
	c.limits.Hard += late
	c.spared += late
}

// fifth is what is left of the time by which the limit of a call may be moved without
// asking who made the arena late: a fifth of it.
func (c *Conn) fifth() time.Duration { return max((c.limits.Hard-c.spared)/5-c.spared, 0) }

// granted is the part of a delay of the arena, up to now, that is not the engine's
// doing. An engine with hundreds of threads makes the arena wait for a core: beyond
// most it gets nothing if it used nearly all that the arena's cores had.
func (c *Conn) granted(late, most time.Duration, now time.Time) time.Duration {
	if late <= most {
		return late
	}
	if now.After(c.cpuAt) {
		c.before = reading{c.cpu, c.cpuAt}
	}
	c.cpu, c.cpuAt = c.pipe.CPUNow(), now
	if used := c.cpu - c.before.cpu; used/cores*4/3 >= now.Sub(c.before.at) {
		return most
	}
	return late
}

// cores are those of the arena.
var cores = time.Duration(runtime.GOMAXPROCS(0))

// overdue reports whether the hard limit passed so long before now that what is read
// then came too late, however late the arena is.
func (c *Conn) overdue(now time.Time) bool {
	late := now.Sub(c.t0) - c.limits.Hard
	return late > 0 && c.granted(late, c.fifth(), now) < late
}

// Hear gives an engine that was late because the machine stalled another chance to
// answer: the CPU time that it lacks to the whole limit, or that of the grace. The
// answer is not used. But an engine that gives none hangs: it would have been late
// on any machine, and the stall is no proof any more.
func (c *Conn) Hear(ctx context.Context, answer func(ctx context.Context) error) {
	fault, stall, l := c.fault, c.stall, c.limits
	if stall.Proof == "" || !c.ClearFault() {
		return
	}
	c.readCPU(c.last)
	limit := l.Hard - c.spared
	grace := max(limit-l.overrun(), shortWindow)
	more := max(grace, min(limit-(c.cpu-c.cpu0), hearing/20))
	c.Arm(Limits{Hard: hearing, HardCPU: more, Idle: grace, Kind: l.Kind, Cores: l.Cores})
	_ = answer(ctx)
	hangs := c.fault != nil && c.fault.Kind == l.Kind && c.last.Sub(c.t0) < hearing
	if c.fault, c.stall = fault, stall; hangs {
		c.stall = Stall{}
		fault.Detail += fmt.Sprintf("; heard once more on a busy machine, it gave no answer in %s", short(c.last.Sub(c.t0)))
	}
}

// hearing bounds the time for an engine that is heard. What needs longer remains a
// stall.
const hearing = 30 * time.Second

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
		own = c.pipe.CPUNow() - w.own
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
	waited, longest := w.waited(now, c.pipe.Threads(), own)
	if min(others/n, waited)+stolen/n <= max(overrun, span)/2 {
		return
	}
	c.stall.Proof = fmt.Sprintf("in the last %s others used %s of %d CPUs, %s were stolen, and it waited %s for a core; the overrun was %s (CPU %s)",
		short(span), short(others), n, short(stolen), short(waited), short(overrun), short(cpu))
	if l.Judge.Rival != nil {
		rival := l.Judge.Rival.CPUNow() - w.rival
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
// that wait for each other add up to any time: so what the others ran, of the time own
// that all used, is no part of a thread's share of the sum.
func (w *window) waited(now time.Time, threads map[int]proc.Thread, own time.Duration) (sum, longest time.Duration) {
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
		sum, longest = sum+max(waited-max(own-(t.Ran-was.Ran), 0), 0), max(longest, waited)
	}
	return sum, longest
}
