package proc

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"

	"thera/arena/sandbox"
)

// Spawner starts processes. The kernel kills a child when the thread that
// started it exits. So one goroutine, locked to a thread that lives until
// Close, starts all of them. A Spawner is safe for concurrent use.
type Spawner struct {
	jobs  chan func()
	done  chan struct{}
	tag   uint64 // labels begin with it; 0 if there are none
	list  lister
	count atomic.Int64
	guard *sandbox.Guard
	hunts sync.WaitGroup // for what outlived its process

	memory memLimit
	inits  inits
}

// NewSpawner returns a ready Spawner. From now on this process adopts orphans
// among its descendants.
func NewSpawner() (*Spawner, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("becoming the reaper of engines' orphans: %w", err)
	}
	s := &Spawner{jobs: make(chan func()), done: make(chan struct{}), tag: newTag(), list: newLister()}
	s.guard = newGuard(s.tag)
	go func() {
		defer close(s.done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for job := range s.jobs {
			job()
		}
	}()
	return s, nil
}

// Close ends the Spawner. Its processes must have been closed before.
func (s *Spawner) Close() error {
	s.discard()
	s.hunts.Wait()
	close(s.jobs)
	<-s.done
	s.guard.Dismiss()
	return nil
}

// Start starts a process with pipes to it.
func (s *Spawner) Start(spec Spec) (*Process, error) {
	if len(spec.Argv) == 0 {
		return nil, &StartError{Err: fmt.Errorf("no command")}
	}
	path, err := lookPath(spec.Argv[0])
	if err != nil {
		return nil, &StartError{Argv: spec.Argv, Dir: spec.Dir, Err: err}
	}
	p := &Process{spec: spec, label: s.newLabel(), list: s.list, hunts: &s.hunts, exited: make(chan struct{})}
	p.limit.Store(spec.Memory)
	p.place.settle(spec.CPUs)
	if p.group, err = s.memory.group(spec.Memory); err != nil {
		return nil, err
	}
	var theirs [3]int
	if err := p.pipes(&theirs); err != nil {
		p.group.remove(groupPatience)
		p.closeFiles()
		return nil, fmt.Errorf("pipes for %q: %w", spec.Argv, err)
	}
	attr := &syscall.ProcAttr{
		Dir:   spec.Dir,
		Files: []uintptr{uintptr(theirs[0]), uintptr(theirs[1]), uintptr(theirs[2])},
		Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	}
	env := environment(os.Environ(), spec.Env)
	if spec.Box != nil {
		env = environment(os.Environ(), environment(spec.Box.Env(), spec.Env))
		err = s.beginBoxed(p, path, env, theirs)
	} else {
		attr.Env = env
		err = s.begin(p, attr, func() error {
			return p.label.give(&p.pid, func() (err error) {
				p.pid, err = syscall.ForkExec(path, spec.Argv, attr)
				p.top = p.pid
				return err
			})
		})
	}
	for _, fd := range theirs {
		unix.Close(fd)
	}
	if err != nil {
		p.closeFiles()
		return nil, &StartError{Argv: spec.Argv, Dir: spec.Dir, Err: err}
	}
	p.watch()
	return p, nil
}

// pinned calls start while the calling thread is bound to cpus. A child
// inherits the binding before its first instruction.
func pinned(cpus []int, start func() error) error {
	if len(cpus) == 0 {
		return start()
	}
	var was, set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &was); err != nil {
		return fmt.Errorf("reading the cores allowed: %w", err)
	}
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("binding to cores %v: %w", cpus, err)
	}
	err := start()
	if back := unix.SchedSetaffinity(0, &was); err == nil && back != nil {
		return fmt.Errorf("releasing cores %v: %w", cpus, back)
	}
	return err
}

// pipes creates the three pipes; theirs are the child's ends.
func (p *Process) pipes(theirs *[3]int) error {
	p.in, p.out, p.wake = -1, -1, -1
	var in, out, errs [2]int
	made := 0
	for _, fds := range []*[2]int{&in, &out, &errs} {
		if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
			for _, old := range []*[2]int{&in, &out, &errs}[:made] {
				unix.Close(old[0])
				unix.Close(old[1])
			}
			return err
		}
		made++
	}
	*theirs = [3]int{in[0], out[1], errs[1]}
	p.in, p.out = in[1], out[0]
	var err error
	if p.wake, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err == nil {
		err = unix.SetNonblock(p.in, true)
	}
	if err == nil {
		err = unix.SetNonblock(p.out, true)
	}
	if err == nil {
		err = unix.SetNonblock(errs[0], true)
	}
	p.stderr = os.NewFile(uintptr(errs[0]), "stderr") // non-blocking, so the runtime can poll it
	if err != nil {
		for _, fd := range theirs {
			unix.Close(fd)
		}
	}
	return err
}
