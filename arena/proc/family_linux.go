package proc

import (
	"os"
	"slices"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A process of an engine is a descendant of the arena, because the arena
// adopts orphans. It is the engine's if its parents lead to the engine, if it
// was seen below the engine before it became an orphan, or by its label.

// family returns the engine's processes. It reaps the dead ones that the arena
// adopted.
func (p *Process) family() []entry {
	var all []entry
	found := map[int]bool{}
	add := func(pid int, accept func(e entry) bool) {
		if found[pid] {
			return
		}
		if e, ok := readStat(pid, p.stat[:]); ok && accept(e) {
			all, found[pid] = append(all, e), true
		}
	}
	if !p.reaped {
		add(p.top, func(entry) bool { return true })
	}
	p.reapOldest()
	self := os.Getpid()
	for _, pid := range slices.Backward(adopted(p.list)) { // the newest first: it may fork and exit again
		add(pid, func(e entry) bool {
			if e.ppid != self || e.pid == p.top || !p.owns(e) {
				return false
			}
			if e.zombie {
				p.reap(e.pid)
			}
			return !e.zombie
		})
	}
	if len(all) > 0 && p.isInit(all[0]) {
		all[0].own, all[0].resident = 0, 0
	}
	var recent map[int][]int
	for i := 0; i < len(all); i++ { // all grows
		parent := all[i]
		below := p.list(parent)
		if parent.threads > 1 { // the list is that of its first thread
			if recent == nil {
				recent = p.recent()
			}
			below = append(below, recent[parent.pid]...)
		}
		for _, pid := range below {
			add(pid, func(e entry) bool { return e.ppid == parent.pid })
		}
	}
	return all
}

// recent lists by their parents the processes of the system that started since
// the look before the last, and those seen at the last. So the lists of all
// threads need not be read: that makes the end of a process slow, because the
// kernel then has to forget the files in /proc of each thread.
func (p *Process) recent() map[int][]int {
	found := map[int][]int{}
	for pid, e := range p.seen {
		found[e.ppid] = append(found[e.ppid], pid)
	}
	from, to := max(p.newest[0], p.top), lastPid()
	p.newest = [2]int{max(p.newest[1], p.top), to}
	take := func(pid int) {
		// Numbers of threads are among them, but not in groups of their own.
		if e, ok := readStat(pid, p.stat[:]); ok && unix.Tgkill(pid, pid, 0) != unix.ESRCH {
			found[e.ppid] = append(found[e.ppid], pid)
		}
	}
	if to < from || to-from > 1000 { // they wrapped around, or many are unused
		for _, pid := range numbered("/proc") {
			if to < from || pid > from {
				take(pid)
			}
		}
		return found
	}
	for pid := from + 1; pid <= to; pid++ {
		take(pid)
	}
	return found
}

// isInit reports whether e is the init of the engine's box. It is no part of
// the engine, but waits for the engine's orphans.
func (p *Process) isInit(e entry) bool { return e.pid == p.top && p.top != p.pid }

// owns reports whether an orphan is the engine's.
func (p *Process) owns(e entry) bool {
	known, ok := p.seen[e.pid]
	return ok && known.start == e.start || p.label.has(e)
}

// reap ends the wait for an orphan that has ended, and reports whether it did.
// Until then the number cannot belong to another process.
func (p *Process) reap(pid int) bool {
	var usage unix.Rusage
	if got, err := unix.Wait4(pid, nil, unix.WNOHANG, &usage); err != nil || got != pid {
		return false
	}
	p.gone += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	delete(p.seen, pid)
	p.reaps++
	return true
}

// reapOldest reaps the dead that the arena adopted first, as long as they carry
// the label. It asks the kernel three times for each, and not /proc, which is ten
// times as slow: a chain of processes leaves dead ones as fast as it can.
func (p *Process) reapOldest() {
	for {
		var info unix.Siginfo
		if unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil) != nil {
			return
		}
		pid := int(*(*int32)(unsafe.Add(unsafe.Pointer(&info), pidInSiginfo)))
		if pid == 0 || pid == p.top || !p.label.fixed(pid) {
			return
		}
		if !p.reap(pid) {
			return
		}
	}
}

// pidInSiginfo is the offset of si_pid; see sigaction(2). What precedes it is
// aligned as a pointer.
const pidInSiginfo = 8 + unsafe.Sizeof(uintptr(0))

// signal sends a signal to the process of e, never to a later one with its
// number.
func (p *Process) signal(e entry, sig unix.Signal) {
	fd, err := unix.PidfdOpen(e.pid, 0)
	if err == nil {
		defer unix.Close(fd)
	}
	if now, ok := readStat(e.pid, p.stat[:]); !ok || now.start != e.start {
		return
	}
	if err == nil {
		_ = unix.PidfdSendSignal(fd, sig, nil, 0)
	} else if err == unix.ENOSYS || err == unix.EPERM { // before Linux 5.3, or not allowed in this container
		_ = unix.Kill(e.pid, sig)
	}
}

// Kill kills all processes of the engine. If there are several, it first stops
// them until there are no more to stop. So none can start another one and exit
// while the others are killed.
func (p *Process) Kill() { p.killAll() }

// killAll is Kill. It reports whether there may be processes left: there were
// some, or some ended meanwhile.
func (p *Process) killAll() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.reaps
	if p.top != p.pid && !p.reaped {
		_ = unix.Kill(p.top, unix.SIGKILL) // nothing in a namespace outlives its init
		return true
	}
	if _, known := p.seen[p.pid]; known && p.alone && !p.reaped {
		// A look would cost more than the kill. What it started since the last
		// one becomes an orphan with its label.
		_ = unix.Kill(-p.pid, unix.SIGKILL)
		_ = unix.Kill(p.pid, unix.SIGKILL)
		return true
	}
	session, _ := unix.Getsid(0)
	frozen := map[int]entry{}
	if !p.reaped {
		_ = unix.Kill(-p.pid, unix.SIGSTOP)
	}
	for end := time.Now().Add(freezePatience); ; {
		// One that ended during the look may have left a child that the look missed.
		reaps := p.reaps
		all := p.look()
		more := p.reaps > reaps
		for _, e := range all {
			if e.zombie || frozen[e.pid].start == e.start {
				continue
			}
			more = true
			frozen[e.pid] = e
			if e.session != session && e.ppid == os.Getpid() {
				// The group is the engine's: it is in a session that the engine
				// made. An orphan keeps its number from being used again. One
				// signal to the group reaches also what is just being forked.
				_ = unix.Kill(-e.pgrp, unix.SIGSTOP)
			}
			p.signal(e, unix.SIGSTOP)
		}
		if !more || time.Now().After(end) {
			break
		}
	}
	if !p.reaped {
		_ = unix.Kill(-p.pid, unix.SIGKILL)
	}
	for _, e := range frozen {
		p.signal(e, unix.SIGKILL)
	}
	return len(frozen) > 0 || p.reaps > before
}

// freezePatience bounds the hunt for a process that always starts another.
const freezePatience = time.Second

// hunt goes on where Close gave up, until nothing is left. A chain of processes
// of which each forks and exits leaves its dead to the arena: unless they are
// reaped, they soon use up the process numbers of the machine.
func (p *Process) hunt() { p.endAll(time.Now().Add(huntPatience)) }

// huntPatience bounds a hunt, for which Spawner.Close waits: processes in
// uninterruptible sleep cannot be killed.
const huntPatience = time.Minute

// endAll kills all processes of the engine and waits for their end, at most
// until end. It reports whether nothing is left.
func (p *Process) endAll(end time.Time) bool {
	for pause := 50 * time.Microsecond; p.killAll(); pause = min(2*pause, 5*time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
		time.Sleep(pause)
	}
	return true
}
