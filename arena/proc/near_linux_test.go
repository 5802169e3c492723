package proc

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"thera/engine/gametest"
)

// An engine that answers at once is kept on one processor, and has all of them back when an
// answer takes long.
func TestNear(t *testing.T) {
	p := launch(t, spawner(t), Spec{Argv: []string{"sh", "-c", "cat >/dev/null"}})
	cpus := func() int {
		t.Helper()
		var set unix.CPUSet
		gametest.OK(t, unix.SchedGetaffinity(p.Pid(), &set))
		return set.Count()
	}
	write := func() {
		t.Helper()
		if _, err := p.Write([]byte("go\n"), time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	all := cpus()
	p.near.quick = nearAfter - 1
	if write(); cpus() != all {
		t.Errorf("%d processors after %d quick answers, had %d", cpus(), nearAfter-1, all)
	}
	p.near.quick = nearAfter
	if write(); cpus() != 1 {
		t.Errorf("%d processors after %d quick answers, want 1", cpus(), nearAfter)
	}
	if _, err := p.Read(make([]byte, 1), 2*soon); err != ErrDeadline {
		t.Errorf("a read without an answer: %v", err)
	}
	if cpus() != all {
		t.Errorf("%d processors after a long wait, had %d", cpus(), all)
	}
}
