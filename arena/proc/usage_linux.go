package proc

import (
	"time"

	"golang.org/x/sys/unix"
)

// usage is what is known of the engine's processes. Process.mu guards it.
type usage struct {
	seen   map[int]entry // at the last look
	looked time.Time
	pause  time.Duration // until the next look
	alone  bool          // no other process has been seen
	newest [2]int        // last process number in use, at the last two looks
	reaps  int           // orphans whose end was taken note of
	gone   time.Duration // CPU time of dead processes that no living one accounts for
	last   time.Duration // the CPU time that was returned

	exact     int64     // memory, when it was last measured exactly
	exactNext time.Time // when to do it again
}

// look is family. It keeps count of their CPU time.
func (p *Process) look() []entry {
	began := time.Now()
	all := p.family()
	now := make(map[int]entry, len(all))
	for _, e := range all {
		now[e.pid] = e
	}
	p.gone += lost(p.seen, now)
	p.seen, p.looked = now, time.Now()
	p.alone = (p.alone || p.pause == 0) && len(all) <= 1 && (len(all) == 0 || all[0].waited == 0)
	if p.pause = aloneLook; !p.alone {
		cost := p.looked.Sub(began)
		p.pause = max(min(max(minLook, 100*cost), maxLook), 10*cost)
	}
	return all
}

// A look takes a hundredth of the time, or up to a tenth when it is slow:
// then the machine is busy or the engine has many processes. An engine of one
// process, as most are, is looked at less often.
const (
	minLook   = time.Millisecond
	maxLook   = 10 * time.Millisecond
	aloneLook = memoryEvery
)

// lost is the CPU time of processes that ended between two looks and for which
// no parent waited: a parent that waits counts it as its own.
func lost(was, now map[int]entry) (sum time.Duration) {
	same := func(a map[int]entry, e entry) (entry, bool) {
		other, ok := a[e.pid]
		return other, ok && other.start == e.start
	}
	owed := map[int]time.Duration{} // by the living process that may have waited
	for _, e := range was {
		if _, lives := same(now, e); lives {
			continue
		}
		heir, known := e, true
		for lives := false; known && !lives; {
			if heir, known = was[heir.ppid]; known {
				_, lives = same(now, heir)
			}
		}
		if known {
			owed[heir.pid] += e.own + e.waited
		} else {
			sum += e.own + e.waited
		}
	}
	for pid, cpu := range owed {
		sum += max(0, cpu-(now[pid].waited-was[pid].waited))
	}
	return sum
}

// CPU is the CPU time of all processes of the engine, living and dead.
func (p *Process) CPU() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped {
		return p.last
	}
	if time.Since(p.looked) >= p.pause {
		p.look()
	}
	sum := p.gone
	for _, e := range p.seen {
		sum += e.waited
		if !p.isInit(e) {
			sum += max(e.own, clock(e.pid))
		}
	}
	p.last = max(p.last, sum)
	return p.last
}

// charge notes the CPU time of the process when it has been reaped: its own and
// that of the children for which it waited.
func (p *Process) charge(used time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = max(p.last, used+p.gone)
}

// clock is the CPU time of a process, all threads together, 0 if it is gone.
func clock(pid int) time.Duration {
	var ts unix.Timespec
	if unix.ClockGettime(int32((^pid)<<3|2), &ts) != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}
