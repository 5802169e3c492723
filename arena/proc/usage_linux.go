package proc

import (
	"time"

	"golang.org/x/sys/unix"
)

// usage is what is known of the engine's processes. Process.mu guards it.
type usage struct {
	seen map[int]entry // at the last look

	earlier time.Duration // CPU time of the programs that its init ended before
	others  time.Duration // CPU time of all processes but the first, when it was last counted
	counted time.Time
	took    time.Duration // that count
	pause   time.Duration // until it is counted again
	last    time.Duration // the CPU time that was returned
}

// look is family. It adds up CPU time too: that of the living, and that of the
// dead for which a parent or the init waited. Where the system counts, this finds
// what the counter does not, because its user may not read the program.
func (p *Process) look() []entry {
	if p.reaped { // their numbers may be others' by now
		return nil
	}
	all := p.family()
	p.seen = make(map[int]entry, len(all))
	others := -p.earlier
	if init, ok := readStat(p.top); ok {
		others += init.waited
	}
	for _, e := range all {
		p.seen[e.pid] = e
		others += e.waited
		if e.pid != p.pid {
			others += max(e.used, clock(e.pid))
		}
	}
	p.others = max(p.others, others)
	return all
}

// CPU is the CPU time of all processes of the engine, living and dead. That of the
// first is always up to date. That of the others is counted so often that this takes
// a hundredth of the time, or up to a tenth when it is slow: to read the time of what
// runs at this moment, the kernel interrupts its core.
func (p *Process) CPU() time.Duration { return p.cpu(false) }

// CPUNow is CPU with that of the others counted now, whatever that takes: for when
// much depends on it.
func (p *Process) CPUNow() time.Duration { return p.cpu(true) }

func (p *Process) cpu(now bool) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped {
		return p.last
	}
	if began := time.Now(); now || began.Sub(p.counted) >= p.pause {
		all, ok := p.child.CPU()
		if ok {
			p.others = max(p.others, all-clock(p.pid))
		} else {
			p.look()
		}
		p.counted = time.Now()
		took := p.counted.Sub(began)
		cost := min(took, p.took) // one of them may have waited for a core
		p.took = took
		if p.pause = max(min(100*cost, maxPause), 10*cost); !ok && p.others == 0 {
			p.pause = memoryEvery // it is one process, as most are
		}
	}
	p.last = max(p.last, p.others+clock(p.pid))
	return p.last
}

// maxPause bounds the time between two counts.
const maxPause = 10 * time.Millisecond

// clock is the CPU time of a process, all threads together, 0 if it is gone.
func clock(pid int) time.Duration {
	var ts unix.Timespec
	if unix.ClockGettime(int32((^pid)<<3|2), &ts) != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}
