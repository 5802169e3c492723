//go:build linux

package proc

import (
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

// Only an engine's processes have its label, also while it is being started.
func TestLabel(t *testing.T) {
	s := spawner(t)
	l := s.newLabel()
	var bystander exec.Cmd
	bystander.Path, bystander.Args = "/bin/sleep", []string{"sleep", "61.5"}
	var pid int
	if err := l.give(&pid, bystander.Start); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = bystander.Process.Kill()
		_ = bystander.Wait()
	}()
	if e, ok := readStat(bystander.Process.Pid, make([]byte, 1024)); !ok || l.has(e) {
		t.Errorf("what started beside an engine is taken for it: %+v", e)
	}
	p, q := launch(t, s, Spec{Argv: []string{"sleep", "61.5"}}), launch(t, s, Spec{Argv: []string{"sleep", "61.5"}})
	e, _ := readStat(p.Pid(), make([]byte, 1024))
	if !p.label.has(e) || q.label.has(e) || p.label == q.label || noLabel.has(e) {
		t.Errorf("label %d of %d", p.label, p.Pid())
	}
	var own unix.Rlimit
	if err := unix.Prlimit(0, unix.RLIMIT_LOCKS, nil, &own); err != nil || own.Cur != own.Max {
		t.Errorf("the arena kept the label: %+v, %v", own, err)
	}
}
