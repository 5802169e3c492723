package proc

import "time"

// sample looks for what the engine started, and kills the engine when all of
// it together exceeds the limit of memory.
func (p *Process) sample() {
	wait := time.NewTimer(0)
	defer wait.Stop()
	for {
		select {
		case <-wait.C:
		case <-p.exited:
			return
		case <-p.quit:
			return
		}
		began := time.Now()
		if p.limit.Load() <= 0 {
			p.CPU()
		} else if p.enforceMemory() {
			p.Wake()
			return
		}
		p.restore()
		wait.Reset(max(memoryEvery, 10*time.Since(began)))
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

// OverMemory is the memory of a process when it was killed for exceeding its
// limit, 0 if it was not.
func (p *Process) OverMemory() int64 { return p.over.Load() }
