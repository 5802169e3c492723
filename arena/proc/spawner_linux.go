package proc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"thera/arena/sandbox"
)

// Spawner starts processes. The kernel kills a child when the thread that
// started it exits. So one goroutine, locked to a thread that lives until
// Close, starts all of them. A Spawner is safe for concurrent use.
type Spawner struct {
	jobs chan func()
	done chan struct{}

	memory func() (sandbox.Memory, error) // for engines with a limit
	meter  func() sandbox.Meter
	inits  inits
}

// NewSpawner returns a ready Spawner. From now on this process adopts orphans
// among its descendants.
func NewSpawner() (*Spawner, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("becoming the reaper of engines' orphans: %w", err)
	}
	s := &Spawner{jobs: make(chan func()), done: make(chan struct{}), memory: sync.OnceValues(sandbox.FindMemory), meter: sync.OnceValue(sandbox.FindMeter)}
	s.inits.idle = map[string][]*sandbox.Init{}
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
	s.inits.discard()
	close(s.jobs)
	<-s.done
	return nil
}

// Start starts a process with pipes to it.
func (s *Spawner) Start(spec Spec) (*Process, error) {
	if len(spec.Argv) == 0 {
		return nil, &StartError{Err: fmt.Errorf("no command")}
	}
	path, err := spec.Argv[0], error(nil)
	if spec.Self {
		path = "/proc/self/exe"
	}
	if !strings.ContainsRune(path, '/') { // else it is relative to Dir
		path, err = exec.LookPath(path)
	}
	if err != nil {
		return nil, &StartError{Argv: spec.Argv, Dir: spec.Dir, Err: err}
	}
	p := &Process{spec: spec, inits: &s.inits, exited: make(chan struct{}), quit: make(chan struct{})}
	p.limit.Store(spec.Memory)
	if spec.Memory > 0 {
		if _, err := s.memory(); err != nil {
			return nil, err
		}
	}
	ends, err := p.pipes()
	if err != nil {
		err = fmt.Errorf("pipes for %q: %w", spec.Argv, err)
	} else {
		env := spec.Env
		if spec.Box != nil {
			env, p.tmp = environment(spec.Box.Env(), spec.Env), spec.Box.Tmp()
		}
		program := path
		if !filepath.IsAbs(path) {
			program = filepath.Join(spec.Dir, path)
		}
		if err = startable(program); err == nil {
			err = explained(program, s.begin(p, path, environment(os.Environ(), env), ends))
		}
		if err != nil {
			err = &StartError{Argv: spec.Argv, Dir: spec.Dir, Err: err}
		}
	}
	for _, fd := range ends {
		unix.Close(fd)
	}
	if err != nil {
		p.closeFiles()
		return nil, err
	}
	p.helpers.Go(func() { _, _ = io.CopyBuffer(&p.tail, struct{ io.Reader }{p.stderr}, make([]byte, 4<<10)) })
	p.helpers.Go(p.await)
	p.helpers.Go(p.sample)
	return p, nil
}

// pipes creates the three pipes and returns the child's ends.
func (p *Process) pipes() (ends [3]int, err error) {
	in, out, errs := [2]int{-1, -1}, [2]int{-1, -1}, [2]int{-1, -1}
	for _, fds := range []*[2]int{&in, &out, &errs} {
		err = errors.Join(err, unix.Pipe2(fds[:], unix.O_CLOEXEC))
	}
	wake, wrong := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	err = errors.Join(err, wrong)
	for _, fd := range []int{in[1], out[0], errs[0]} {
		if err == nil {
			err = unix.SetNonblock(fd, true)
		}
	}
	p.in, p.out, p.wake = in[1], out[0], wake
	p.stderr = os.NewFile(uintptr(errs[0]), "stderr") // non-blocking, so the runtime can poll it
	return [3]int{in[0], out[1], errs[1]}, err
}
