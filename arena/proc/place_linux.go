package proc

import (
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// place is where the threads of an engine may run, and how urgently. Without a
// sandbox an engine can choose its cores itself and, with the powers of root, its
// priority.
type place struct {
	cores  unix.CPUSet
	nice   int32
	known  bool
	looked time.Time

	left   atomic.Bool // its cores
	raised atomic.Bool // its priority
}

// restoreEvery is how long an engine may be where it should not be. To look at
// each thread makes the end of a process slow, so short lives are spared it.
const restoreEvery = 500 * time.Millisecond

// settle notes the place that an engine has at its start: the cores it was given,
// or those of the arena, and the arena's priority.
func (l *place) settle(cpus []int) {
	own, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		return
	}
	if l.nice = own.Nice; len(cpus) == 0 && unix.SchedGetaffinity(0, &l.cores) != nil {
		return
	}
	for _, cpu := range cpus {
		l.cores.Set(cpu)
	}
	l.looked, l.known = time.Now(), true
}

// restore puts threads of the engine back that are elsewhere.
func (p *Process) restore() {
	l := &p.place
	if !l.known || time.Since(l.looked) < restoreEvery {
		return
	}
	l.looked = time.Now()
	p.mu.Lock()
	pids := make([]int, 0, len(p.seen))
	for pid := range p.seen {
		pids = append(pids, pid)
	}
	p.mu.Unlock()
	for _, pid := range pids {
		if pid == p.top {
			continue
		}
		tasks, _ := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
		for _, task := range tasks {
			if tid, err := strconv.Atoi(task.Name()); err == nil {
				l.restore(tid)
			}
		}
	}
}

func (l *place) restore(tid int) {
	var now unix.CPUSet
	if unix.SchedGetaffinity(tid, &now) == nil {
		for i := range now {
			if now[i]&^l.cores[i] != 0 {
				_ = unix.SchedSetaffinity(tid, &l.cores)
				l.left.Store(true)
				break
			}
		}
	}
	is, err := unix.SchedGetAttr(tid, 0)
	if err != nil {
		return
	}
	urgent := is.Policy == unix.SCHED_FIFO || is.Policy == unix.SCHED_RR || is.Policy == unix.SCHED_DEADLINE
	if urgent || is.Nice < l.nice {
		_ = unix.SchedSetAttr(tid, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_NORMAL, Nice: l.nice}, 0)
		l.raised.Store(true)
	}
}

// Misplaced is what the engine did to where and how urgently it runs, since the
// last call; it was put back.
func (p *Process) Misplaced() []string {
	var what []string
	if p.place.left.Swap(false) {
		what = append(what, "it left its cores and was put back")
	}
	if p.place.raised.Swap(false) {
		what = append(what, "it raised its priority and was put back")
	}
	return what
}
