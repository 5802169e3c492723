package proc

import "thera/arena/sandbox"

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
	for i := 0; ; i++ { // all grows
		if i == len(all) {
			if all = append(all, p.adopted(found)...); i == len(all) {
				return all
			}
		}
		parent := all[i]
		var below []int
		switch {
		case p.isInit(parent):
			below = append(sandbox.Children(parent.pid, parent.pid), p.pid) // another thread started it
		case parent.threads > 1:
			below = sandbox.Family(parent.pid)
		default:
			below = sandbox.Children(parent.pid, parent.pid)
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

// isInit reports whether e is the init of the engine, which is no part of it.
func (p *Process) isInit(e entry) bool { return e.pid == p.top }
