package proc

import (
	"golang.org/x/sys/unix"

	"thera/arena/sandbox"
)

// family returns the init of the engine and the engine's processes: all that are
// below it, and those that were at the last look, whoever has adopted them since.
// Those of an engine that has ended are gone.
func (p *Process) family() []entry {
	var all []entry
	found := map[int]bool{p.top: true}
	if e, ok := readStat(p.top, p.stat[:]); ok && !p.reaped {
		e.own, e.resident = 0, 0
		all = append(all, e)
	}
	var recent map[int][]int
	for i := 0; ; i++ { // all grows
		if i == len(all) {
			if all = append(all, p.adopted(found)...); i == len(all) {
				return all
			}
		}
		parent := all[i]
		below := sandbox.Children(parent.pid, parent.pid)
		if p.isInit(parent) {
			below = append(below, p.pid) // another thread started it
		} else if parent.threads > 1 {
			if recent == nil {
				recent = p.recent()
			}
			below = append(below, recent[parent.pid]...)
		}
		for _, pid := range below {
			if e, ok := readStat(pid, p.stat[:]); ok && e.ppid == parent.pid && !found[pid] {
				all, found[pid] = append(all, e), true
			}
		}
	}
}

// adopted are processes of the last look that were not found below the init: another
// thread than the first of a process that adopts orphans has them.
func (p *Process) adopted(found map[int]bool) (all []entry) {
	for pid, was := range p.seen {
		if found[pid] || p.reaped {
			continue
		}
		if e, ok := readStat(pid, p.stat[:]); ok && e.start == was.start {
			all, found[pid] = append(all, e), true
		}
	}
	return all
}

// recent lists by their parents the processes of the system that started since
// the look before the last. So the lists of all threads need not be read: that
// makes the end of a process slow, because the kernel then has to forget the
// files in /proc of each thread.
func (p *Process) recent() map[int][]int {
	found := map[int][]int{}
	from, to := max(p.newest[0], p.top), lastPid()
	p.newest = [2]int{max(p.newest[1], p.top), to}
	take := func(pid int) {
		// Numbers of threads are among them, but not in groups of their own.
		if e, ok := readStat(pid, p.stat[:]); ok && unix.Tgkill(pid, pid, 0) != unix.ESRCH {
			found[e.ppid] = append(found[e.ppid], pid)
		}
	}
	if to < from || to-from > 1000 { // they wrapped around, or many are unused
		for _, pid := range sandbox.Numbered("/proc") {
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

// isInit reports whether e is the init of the engine, which is no part of it.
func (p *Process) isInit(e entry) bool { return e.pid == p.top }
