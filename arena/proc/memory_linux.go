package proc

import (
	"strings"
	"time"

	"thera/arena/sandbox"
)

// Unenforced says what this operating system cannot do: nothing.
const Unenforced = ""

// sampled is how memory is measured in any case.
const sampled = "resident size, page tables and shared memory of all its processes, every 50 ms"

// MemoryHow says what enforces an engine's memory limit on this machine and,
// if it is not the kernel, why.
func MemoryHow() string {
	memory, _ := sandbox.FindMemory()
	by, why := memory.By()
	if why != nil {
		return sampled + ", without pipes, TCP and what else the kernel keeps for them (" + strings.ReplaceAll(why.Error(), "\n", "; ") + ")"
	}
	return "the kernel, by " + by + ", and " + sampled
}

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
		if p.limitFiles() { // first: it takes long to look at many
			p.Wake()
			return
		}
		if p.limit.Load() <= 0 {
			p.mu.Lock()
			p.look()
			p.mu.Unlock()
		} else if p.enforceMemory() {
			p.Wake()
			return
		}
		took := time.Since(began)
		wait.Reset(max(memoryEvery, min(10*took, max(longestBlind, took))))
	}
}

// longestBlind is how long nobody looks at an engine to which it takes long to look.
const longestBlind = time.Second

// enforceMemory kills a process that exceeds its limit and reports whether it
// did.
func (p *Process) enforceMemory() bool {
	had := p.memory()
	if had <= p.limit.Load() {
		had = p.child.Killed(p.spec.Memory)
	}
	if had > 0 {
		p.over.CompareAndSwap(0, had)
		p.Kill()
	}
	return had > 0
}

// OverMemory is the memory of a process when it was killed for exceeding its
// limit, 0 if it was not.
func (p *Process) OverMemory() int64 { return p.over.Load() }
