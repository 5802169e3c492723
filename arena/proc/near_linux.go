package proc

import (
	"os"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// near keeps an engine that answers at once on the arena's processor: to wake an idle
// processor takes longer than such an answer. The engine has all of its processors back
// before the arena sleeps.
type near struct {
	quick int // answers in a row that came soon
	on    int // the processor that the engine is kept on, if kept
	kept  bool
	all   unix.CPUSet // its processors otherwise
}

// nearAfter is the number of quick answers in a row after which an engine is kept near. An
// engine that answers quickly from time to time is left alone.
const nearAfter = 16

// follow keeps the process on the processor of the caller, which is about to write, if it
// has answered quickly for a while.
func (p *Process) follow() {
	if p.near.quick < nearAfter || len(p.spec.CPUs) > 0 {
		return
	}
	var cpu uint32
	if _, _, errno := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0); errno != 0 || p.near.kept && p.near.on == int(cpu) {
		return
	}
	if !p.near.kept && unix.SchedGetaffinity(p.pid, &p.near.all) != nil {
		return
	}
	var one unix.CPUSet
	one.Set(int(cpu))
	p.near.kept, p.near.on = true, int(cpu)
	p.place(&one)
}

// release lets the process run on all of its processors again.
func (p *Process) release() {
	if p.near.kept {
		p.place(&p.near.all)
	}
	p.near.kept, p.near.quick = false, 0
}

// place sets the processors of all threads of the process. What fails leaves a thread
// where it was. A process that the engine starts after so many quick answers keeps
// the one processor.
func (p *Process) place(set *unix.CPUSet) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped { // later the number may be another's
		return
	}
	tasks, err := os.ReadDir("/proc/" + strconv.Itoa(p.pid) + "/task")
	if err != nil {
		return
	}
	for _, t := range tasks {
		if tid, err := strconv.Atoi(t.Name()); err == nil {
			_ = unix.SchedSetaffinity(tid, set)
		}
	}
}
