package proc

import (
	"errors"
	"os"
	"strings"
	"sync"
	"syscall"
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

// begin starts the process of p in its group. If the kernel refuses that but
// starts the process elsewhere, memory is only sampled.
func (s *Spawner) begin(p *Process, attr *syscall.ProcAttr, start func() error) error {
	try := func(group *memGroup) error {
		started := make(chan error)
		s.jobs <- func() {
			started <- pinned(p.spec.CPUs, func() error { return group.enter(attr.Sys, start) })
		}
		err := <-started
		if err != nil && p.pid > 0 { // the thread could not be set back
			_ = syscall.Kill(p.pid, syscall.SIGKILL)
			_, _ = syscall.Wait4(p.pid, nil, 0, nil)
			p.pid = 0
		}
		return err
	}
	err := try(p.group)
	if err == nil || p.group == nil {
		return err
	}
	p.group.remove(groupPatience)
	p.group = nil
	attr.Sys.UseCgroupFD = false
	refused := err
	if err = try(nil); err == nil {
		if os.Getenv(cgroupEnv) != "" {
			_ = syscall.Kill(p.pid, syscall.SIGKILL)
			_, _ = syscall.Wait4(p.pid, nil, 0, nil)
			return refused
		}
		s.memory.giveUp()
	}
	return err
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
		return sampled + " (" + strings.ReplaceAll(err.Error(), "\n", "; ") + ")"
	}
	return groups.String()
}
