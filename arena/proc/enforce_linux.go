package proc

import (
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
	if why := memory.Why; why != nil {
		return sampled + ", without pipes, TCP and what else the kernel keeps for them (" + why.Error() + ")"
	}
	return "the kernel, by " + memory.By + ", and " + sampled
}

// sample looks at the engine again and again, until it has ended.
func (p *Process) sample() {
	wait := time.NewTimer(memoryEvery) // it has done nothing yet
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
		if p.enforce() {
			p.Wake()
			return
		}
		took := time.Since(began)
		wait.Reset(max(memoryEvery, min(10*took, max(longestBlind, took))))
	}
}

// longestBlind is how long nobody looks at an engine to which it takes long to look.
const longestBlind = time.Second

// enforce looks for what the engine started, and kills the engine when all of it together
// exceeds the limit of memory or has too many files open. It reports whether it did.
func (p *Process) enforce() bool {
	limit := p.limit.Load()
	p.mu.Lock()
	h := p.holdings()
	p.mu.Unlock()
	had, why := int64(0), h.misuse()
	if limit > 0 {
		had = h.used(limit)
	}
	if had <= limit {
		had = p.child.Killed(p.spec.Memory)
	}
	switch {
	case why != "":
		p.misuse.CompareAndSwap(nil, &why)
	case had > 0:
		p.over.CompareAndSwap(0, had)
	default:
		return false
	}
	p.Kill()
	return true
}

// OverMemory is the memory of a process when it was killed for exceeding its
// limit, 0 if it was not.
func (p *Process) OverMemory() int64 { return p.over.Load() }

// Misuse is why the process was killed, beside its memory; "" if it was not.
func (p *Process) Misuse() string {
	if why := p.misuse.Load(); why != nil {
		return *why
	}
	return ""
}
