package proc

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"thera/engine/gametest"
)

func TestUsageOfProcStat(t *testing.T) {
	const text = `cpu  10 20 30 40 50 60 70 80 90 100
cpu0 1 2 3 400 500 6 7 8 9 10
cpu3 10 20 30 4000 5000 60 70 80 90 100
cpu12 100 0 0 0 0 0 0 5 0 0
intr 123 4 5 6 7 8 9 10 11 12
procs_running 3
`
	for _, tt := range []struct {
		cpus []int
		want Usage
		ok   bool
	}{
		{[]int{0}, Usage{CPUs: 1, Busy: 190 * time.Millisecond, Stolen: 80 * time.Millisecond}, true},
		{[]int{0, 3, 12}, Usage{CPUs: 3, Busy: 3090 * time.Millisecond, Stolen: 930 * time.Millisecond}, true},
		{[]int{1}, Usage{}, false},
	} {
		var wanted unix.CPUSet
		for _, cpu := range tt.cpus {
			wanted.Set(cpu)
		}
		if got, ok := usageIn([]byte(text), &wanted); got != tt.want || ok != tt.ok {
			t.Errorf("processors %v: %+v, %v", tt.cpus, got, ok)
		}
	}
}

// A process that waits for nothing but its turn waits; one that sleeps does
// not. Threads of its children count.
func TestThreads(t *testing.T) {
	var allowed unix.CPUSet
	gametest.OK(t, unix.SchedGetaffinity(0, &allowed))
	core := 0
	for !allowed.IsSet(core) {
		core++
	}
	s := spawner(t)
	start := func(script string) *Process {
		return launch(t, s, Spec{Argv: []string{"sh", "-c", script}, CPUs: []int{core}})
	}
	// Two loops in one process tree, on one core: they wait for each other.
	busy := start("(while :; do :; done) & while :; do :; done")
	for {
		waiting := 0
		for _, t := range busy.Threads() {
			if t.Waited > 20*time.Millisecond && t.Ran > 20*time.Millisecond && t.Runnable {
				waiting++
			}
		}
		if waiting >= 2 {
			break
		}
	}
	idle := start("exec sleep 61.5")
	for {
		threads := idle.Threads()
		if t := threads[idle.Pid()]; len(threads) == 1 && t.Sleeps > 0 && !t.Runnable {
			break
		}
	}
	if busy.RunDelay() <= 20*time.Millisecond {
		t.Errorf("run delay %v", busy.RunDelay())
	}
}
