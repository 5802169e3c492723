package proc

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"thera/arena/sandbox"
)

// entry is one line of the system's process table.
type entry struct {
	pid, ppid int
	start     int64 // clock ticks since boot: with pid it identifies a process forever
	threads   int
	headless  bool          // its first thread has ended, others live
	zombie    bool          // it has ended and waits to be reaped
	dying     bool          // it is exiting or was killed: it runs no more code
	used      time.Duration // CPU time, in clock ticks
	waited    time.Duration // CPU time of the children that it has waited for
}

// clockTick is the unit of times in /proc: USER_HZ is 100 on every system that Go supports.
const clockTick = time.Second / 100

// readStat reads /proc/PID/stat; see proc(5).
func readStat(pid int) (entry, bool) {
	words := sandbox.Stat(pid)
	if len(words) < 20 {
		return entry{}, false
	}
	state, field := words[0][0], func(i int) int64 { return number(words[i]) }
	ended := state == 'Z' || state == 'X'
	headless := ended && field(17) > 1
	return entry{
		pid: pid, ppid: int(field(1)), start: field(19), threads: int(field(17)),
		// The first thread, whose state and flags these are, may have ended before the others.
		zombie: ended && !headless, headless: headless, dying: !headless && field(6)&flagsDying != 0,
		used: time.Duration(field(11)+field(12)) * clockTick, waited: time.Duration(field(13)+field(14)) * clockTick,
	}, true
}

// number reads a decimal number, and nothing else.
func number(word []byte) (n int64) {
	for _, c := range word {
		if c >= '0' && c <= '9' {
			n = n*10 + int64(c-'0')
		}
	}
	return n
}

// flagsDying are the kernel's PF_EXITING, PF_DUMPCORE and PF_SIGNALED. The
// kernel sets them before it closes a dying process's files.
const flagsDying = 0x4 | 0x200 | 0x400

// dir is what /proc has of a process: that of another thread when the first one
// has ended, which has nothing any more.
func (e entry) dir() string {
	dir := "/proc/" + strconv.Itoa(e.pid)
	if e.headless {
		for _, thread := range sandbox.Numbered(dir + "/task") {
			if thread != e.pid {
				return dir + "/task/" + strconv.Itoa(thread)
			}
		}
	}
	return dir
}

// family returns the engine's processes: all that are below its init, and those that were at
// the last look, whoever has adopted them since.
func (p *Process) family() (all []entry) {
	found := map[int]bool{}
	add := func(pid int, is func(e entry) bool) {
		if e, ok := readStat(pid); ok && !found[pid] && is(e) {
			all, found[pid] = append(all, e), true
		}
	}
	below := func(parent, threads int) {
		for _, pid := range sandbox.Family(parent, threads) {
			add(pid, func(e entry) bool { return e.ppid == parent })
		}
	}
	below(p.top, 0)
	for i := 0; ; i++ { // all grows
		if i == len(all) {
			// Another thread than the first of a process that adopts orphans may have them.
			for pid, was := range p.seen {
				add(pid, func(e entry) bool { return e.start == was.start })
			}
			if i == len(all) {
				return all
			}
		}
		below(all[i].pid, all[i].threads)
	}
}

// Threads are the live threads of all processes of the engine, by number.
func (p *Process) Threads() map[int]Thread {
	threads := map[int]Thread{}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.look() {
		dir := "/proc/" + strconv.Itoa(e.pid) + "/task/"
		all := sandbox.Numbered(dir)
		for _, id := range all[:min(len(all), 1024)] {
			if t, ok := readThread(dir + strconv.Itoa(id)); ok {
				threads[id] = t
			}
		}
	}
	return threads
}

// readThread reads schedstat (times on a core and waiting for one, in
// nanoseconds) and status of a thread.
func readThread(dir string) (t Thread, ok bool) {
	text, err := os.ReadFile(dir + "/schedstat")
	f := bytes.Fields(text)
	if err != nil || len(f) != 3 {
		return t, false
	}
	t.Ran, t.Waited = time.Duration(number(f[0])), time.Duration(number(f[1]))
	text, err = os.ReadFile(dir + "/status")
	if err != nil {
		return t, false
	}
	for line := range bytes.Lines(text) {
		if f := bytes.Fields(line); len(f) >= 2 {
			switch string(f[0]) {
			case "State:":
				t.Runnable, t.Reads = f[1][0] == 'R', f[1][0] == 'D'
			case "voluntary_ctxt_switches:":
				t.Sleeps = number(f[1])
			}
		}
	}
	return t, true
}
