//go:build linux

package proc

import (
	"os"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// An engine that goes to other cores than its own, or raises its priority, is put
// back and named.
func TestMisplacedEngines(t *testing.T) {
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	if all.Count() < 2 {
		t.Skip("one core: there is no other")
	}
	core := 0
	for !all.IsSet(core) {
		core++
	}
	p := launch(t, spawner(t), Spec{Argv: []string{"sleep", "61.5"}, CPUs: []int{core}})
	await := func(what string, back func() bool) {
		for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
			if named := p.Misplaced(); len(named) > 0 {
				if !slices.Equal(named, []string{what}) || !back() {
					t.Errorf("%q, put back: %v, want %q", named, back(), what)
				}
				return
			}
			if time.Since(begun) > time.Minute {
				t.Fatalf("not seen: %s", what)
			}
		}
	}
	// What it could do itself.
	if err := unix.SchedSetaffinity(p.Pid(), &all); err != nil {
		t.Fatal(err)
	}
	await("it left its cores and was put back", func() bool {
		var now unix.CPUSet
		return unix.SchedGetaffinity(p.Pid(), &now) == nil && now.Count() == 1 && now.IsSet(core)
	})
	own, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() != 0 || own.Nice == -20 {
		t.Log("only root can raise a priority")
		return
	}
	if err := unix.SchedSetAttr(p.Pid(), &unix.SchedAttr{Size: unix.SizeofSchedAttr, Nice: own.Nice - 1}, 0); err != nil {
		t.Fatal(err)
	}
	await("it raised its priority and was put back", func() bool {
		now, err := unix.SchedGetAttr(p.Pid(), 0)
		return err == nil && now.Nice == own.Nice
	})
}
