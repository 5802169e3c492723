package proc

import (
	"os"
	"time"
)

// sampleMemory kills the process when it and its descendants exceed their
// limit of resident memory.
func (p *Process) sampleMemory() {
	tick := time.NewTicker(memoryEvery)
	defer tick.Stop()
	for {
		if p.enforceMemory() {
			p.Wake()
			return
		}
		select {
		case <-tick.C:
		case <-p.exited:
			return
		case <-p.quit:
			return
		}
	}
}

// enforceMemory kills a process that exceeds its limit and reports whether it
// did.
func (p *Process) enforceMemory() bool {
	had := p.overLimit()
	if had > 0 {
		p.over.CompareAndSwap(0, had)
		p.Kill()
	}
	return had > 0
}

// Resident is the memory of the process and its group in bytes, 0 if it is
// gone.
func (p *Process) Resident() int64 {
	buf := make([]byte, 1024)
	sum := int64(0)
	if e, ok := readStat(p.top, buf); ok && p.top == p.pid { // the init of a box does not count
		sum = e.resident
	}
	if pageShare := int64(os.Getpagesize()); sum < pageShare && p.top == p.pid {
		return sum
	}
	for _, pid := range descendants(p.top) {
		if e, ok := readStat(pid, buf); ok {
			sum += e.resident
		}
	}
	if sum > p.peak.Load() {
		p.peak.Store(sum)
	}
	return sum
}

// OverMemory is the memory of a process when it was killed for exceeding its
// limit, 0 if it was not.
func (p *Process) OverMemory() int64 { return p.over.Load() }
