package proc

import (
	"errors"
	"os"
	"strings"
	"sync"
)

// memLimit is how a Spawner enforces memory limits. It looks for a cgroup when
// the first engine with a limit starts.
type memLimit struct {
	mu     sync.Mutex
	looked bool
	groups *memGroups // nil: memory is only sampled
	err    error      // a group that the user named cannot be used
}

// group is a new group for an engine, nil if its memory is only sampled.
func (l *memLimit) group(limit int64) (*memGroup, error) {
	if limit <= 0 {
		return nil, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.looked {
		l.looked = true
		if l.groups, l.err = newGroupFinder().find(); errors.Is(l.err, errNoGroup) {
			l.err = nil
		}
		if l.groups != nil {
			l.groups.sweep()
		}
	}
	if l.groups == nil {
		return nil, l.err
	}
	g, err := l.groups.create(limit)
	if err != nil {
		l.groups = nil
		if os.Getenv(cgroupEnv) == "" { // the user did not ask for a group
			return nil, nil
		}
		l.err = err
	}
	return g, err
}

// giveUp continues without groups, because the kernel starts no process in
// them.
func (l *memLimit) giveUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.groups = nil
}

// overLimit is the memory of the engine's processes if it exceeds their limit, or its peak if the kernel killed one of them for the limit; 0
// otherwise.
func (p *Process) overLimit() int64 {
	if used := p.memory(); used > p.limit.Load() {
		return used
	}
	return p.group.killed()
}

// noteKill records a kill by the kernel for the limit, before the exit is
// reported.
func (p *Process) noteKill() {
	if had := p.group.killed(); had > 0 {
		p.over.CompareAndSwap(0, had)
	}
}

// MemoryHow says what enforces an engine's memory limit on this machine and,
// if it is not the kernel, why.
func MemoryHow() string {
	groups, err := newGroupFinder().find()
	if err != nil {
		return sampled + ", without pipes, TCP and what else the kernel keeps for them (" + strings.ReplaceAll(err.Error(), "\n", "; ") + ")"
	}
	return groups.String()
}
