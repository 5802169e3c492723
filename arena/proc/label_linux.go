package proc

import (
	"math/rand/v2"
	"sync"

	"golang.org/x/sys/unix"
)

// A label identifies all processes of an engine. It is their limit of file
// locks. The kernel has ignored that limit since Linux 2.4.25, but every child
// inherits it: across exec, a new session, another process group and a cleared
// environment. Without privileges it can only be lowered.
//
// A label is the spawner's number followed by the number of the start.
type label uint64

const (
	startsOfSpawner = 10_000_000
	noLabel         = label(0) // the system refused it: only descent identifies
)

// labelling keeps one label at a time in this process, for the child to
// inherit. Limits belong to the process, so all Spawners share the lock.
var labelling sync.Mutex

// newTag is a random number for a spawner, 0 if labels do not work here. If
// this process is itself part of an engine, its labels are below its own.
func newTag() uint64 {
	var now unix.Rlimit
	if unix.Prlimit(0, unix.RLIMIT_LOCKS, nil, &now) != nil {
		return 0
	}
	most := min(now.Max, 1<<63-1) / startsOfSpawner
	if most < 1000 {
		return 0
	}
	return most/2 + rand.Uint64N(most/2)
}

// newLabel is the label of the next engine.
func (s *Spawner) newLabel() label {
	if s.tag == 0 {
		return noLabel
	}
	return label(s.tag*startsOfSpawner + uint64(s.count.Add(1))%startsOfSpawner)
}

// give calls fork, whose child has the label from its first instruction. fork
// sets pid.
func (l label) give(pid *int, fork func() error) error {
	labelling.Lock()
	defer labelling.Unlock()
	var was unix.Rlimit
	if l == noLabel || unix.Prlimit(0, unix.RLIMIT_LOCKS, nil, &was) != nil ||
		unix.Prlimit(0, unix.RLIMIT_LOCKS, &unix.Rlimit{Cur: uint64(l), Max: was.Max}, nil) != nil {
		return fork()
	}
	err := fork()
	_ = unix.Prlimit(0, unix.RLIMIT_LOCKS, &was, nil) // a soft limit may be raised again
	if err == nil {
		l.put(*pid)
	}
	return err
}

// put gives the label to a process, for good.
func (l label) put(pid int) {
	if l != noLabel && pid > 0 { // 0 would be this process
		_ = unix.Prlimit(pid, unix.RLIMIT_LOCKS, &unix.Rlimit{Cur: uint64(l), Max: uint64(l)}, nil)
	}
}

// has reports whether a process carries the label. Who only has it as the limit
// that may be raised again forked before the start was complete; or something
// else in this process started a program at the same moment, which is then in
// the arena's own process group.
func (l label) has(e entry) bool {
	limit := l.of(e.pid)
	return limit.Max == uint64(l) || limit.Cur == uint64(l) && e.pgrp != unix.Getpgrp()
}

// fixed reports whether a process carries the label as the limit that may not be
// raised.
func (l label) fixed(pid int) bool { return l.of(pid).Max == uint64(l) }

// of is the limit of a process, one that no label is if it cannot be read.
func (l label) of(pid int) unix.Rlimit {
	var limit unix.Rlimit
	if l == noLabel || unix.Prlimit(pid, unix.RLIMIT_LOCKS, nil, &limit) != nil {
		return unix.Rlimit{Cur: 1<<64 - 1, Max: 1<<64 - 1}
	}
	return limit
}
