package proc

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"

	"thera/arena/sandbox"
)

// A process in a box is the child of an init, which is the child of the arena.
// Descendants of the init are the engine's, orphans too; the init itself is
// not. Its death ends all of them.

// inits are inits that were started ahead of their engines, so that a restart
// need not wait for one.
type inits struct {
	mu    sync.Mutex
	ahead map[*sandbox.Box]chan readyInit
	jobs  sync.WaitGroup
}

type readyInit struct {
	init *sandbox.Init
	err  error
}

// prepare starts an init on the thread that starts all processes.
func (s *Spawner) prepare(spec *Spec) readyInit {
	var r readyInit
	done := make(chan struct{})
	s.jobs <- func() {
		defer close(done)
		r.init, r.err = spec.Box.Prepare(nil, spec.CPUs)
	}
	<-done
	if r.err == nil {
		if r.err = r.init.Join(); r.err != nil {
			r.init.Discard()
			r.init = nil
		}
	}
	return r
}

// take returns an init, old if it was started ahead.
func (s *Spawner) take(spec *Spec) (r readyInit, old bool) {
	s.inits.mu.Lock()
	next := s.inits.ahead[spec.Box]
	delete(s.inits.ahead, spec.Box)
	s.inits.mu.Unlock()
	if next == nil {
		return s.prepare(spec), false
	}
	if r = <-next; r.err == nil && !slices.Equal(r.init.CPUs, spec.CPUs) {
		r.init.Discard()
		return s.prepare(spec), false
	}
	return r, true
}

// refill starts an init for the engine's next start.
func (s *Spawner) refill(spec Spec) {
	s.inits.mu.Lock()
	defer s.inits.mu.Unlock()
	if s.inits.ahead[spec.Box] != nil {
		return
	}
	if s.inits.ahead == nil {
		s.inits.ahead = map[*sandbox.Box]chan readyInit{}
	}
	next := make(chan readyInit, 1)
	s.inits.ahead[spec.Box] = next
	s.inits.jobs.Go(func() { next <- s.prepare(&spec) })
}

// discard ends the inits that no engine used.
func (s *Spawner) discard() {
	s.inits.jobs.Wait()
	for _, next := range s.inits.ahead {
		if r := <-next; r.init != nil {
			r.init.Discard()
		}
	}
	s.inits.ahead = nil
}

// beginBoxed starts the process of p in its box.
func (s *Spawner) beginBoxed(p *Process, path string, env []string, files [3]int) error {
	dir := p.spec.Dir
	if dir == "" || !filepath.IsAbs(dir) { // the init is elsewhere
		var err error
		if dir, err = filepath.Abs(dir); err != nil {
			return err
		}
	}
	c := sandbox.Command{Path: path, Argv: p.spec.Argv, Dir: dir, Env: env, Files: files}
	r, old := s.take(&p.spec)
	err := s.startBoxed(p, c, r)
	var step *sandbox.StepError
	if old && errors.As(err, &step) { // it may have died since
		err = s.startBoxed(p, c, s.prepare(&p.spec))
	}
	if err == nil {
		s.refill(p.spec)
	}
	return err
}

func (s *Spawner) startBoxed(p *Process, c sandbox.Command, r readyInit) error {
	if r.err != nil {
		return r.err
	}
	if err := p.group.adopt(r.init.Pid); err != nil {
		p.group.remove(groupPatience)
		p.group = nil
		if os.Getenv(cgroupEnv) != "" { // the user asked for a group
			r.init.Discard()
			return err
		}
		s.memory.giveUp()
	}
	if p.group != nil && p.group.v2 {
		c.Group = p.group.dir
	}
	p.label.put(r.init.Pid)
	child, err := r.init.Start(c)
	if err != nil {
		return err
	}
	p.child, p.pid, p.top, p.inits = child, child.Pid, child.Top, &s.inits
	return nil
}

// adopt moves a process with all its threads into the group.
func (m *memGroup) adopt(pid int) error {
	if m == nil {
		return nil
	}
	return m.set("cgroup.procs", strconv.Itoa(pid))
}

// awaitBoxed waits for the engine's end and then for that of its init. An init
// that was killed reports nothing; then its own end is the engine's.
func (p *Process) awaitBoxed() unix.WaitStatus {
	status, used, reported := p.child.Wait()
	p.charge(used)
	if !reported {
		status, _ = p.reapTop()
		p.child.Close()
		return status
	}
	p.mu.Lock()
	p.reaped = true // of the engine nothing is left: before its report the init killed and reaped it
	p.mu.Unlock()
	p.inits.jobs.Go(func() { // the end of namespaces takes the kernel milliseconds, for which nobody waits
		for {
			if _, err := unix.Wait4(p.top, nil, 0, nil); err != unix.EINTR {
				break
			}
		}
		p.child.Close()
	})
	return status
}
