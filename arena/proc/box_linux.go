package proc

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"

	"thera/arena/sandbox"
)

// A process in a box is the child of an init, which is the child of the arena.
// Descendants of the init are the engine's, orphans too; the init itself is
// not. Its death ends all of them.

// inits starts inits ahead of their engines, so that a restart need not wait
// for one.
type inits struct {
	mu    sync.Mutex
	ahead map[bool][]chan readyInit // by whether they have the network
	jobs  sync.WaitGroup
}

type readyInit struct {
	init *sandbox.Init
	err  error
}

// initsAhead is the number of inits ahead: a slot has two engines.
const initsAhead = 2

// prepare starts an init on the thread that starts all processes.
func (s *Spawner) prepare(box *sandbox.Box) readyInit {
	var r readyInit
	done := make(chan struct{})
	s.jobs <- func() {
		defer close(done)
		r.init, r.err = box.Prepare(nil)
	}
	<-done
	return r
}

// take returns an init. One that was started ahead may have died since.
func (s *Spawner) take(box *sandbox.Box, old bool) readyInit {
	if !old {
		return s.prepare(box)
	}
	s.inits.mu.Lock()
	list := s.inits.ahead[box.Network()]
	var next chan readyInit
	if len(list) > 0 {
		next = list[0]
		s.inits.ahead[box.Network()] = list[1:]
	}
	s.inits.mu.Unlock()
	if next == nil {
		return s.prepare(box)
	}
	return <-next
}

// refill starts inits for the next starts.
func (s *Spawner) refill(box *sandbox.Box) {
	s.inits.mu.Lock()
	defer s.inits.mu.Unlock()
	for len(s.inits.ahead[box.Network()]) < initsAhead {
		next := make(chan readyInit, 1)
		if s.inits.ahead == nil {
			s.inits.ahead = map[bool][]chan readyInit{}
		}
		s.inits.ahead[box.Network()] = append(s.inits.ahead[box.Network()], next)
		s.inits.jobs.Go(func() { next <- s.prepare(box) })
	}
}

// discard ends the inits that no engine used.
func (s *Spawner) discard() {
	s.inits.jobs.Wait()
	for _, list := range s.inits.ahead {
		for _, next := range list {
			if r := <-next; r.init != nil {
				r.init.Discard()
			}
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
	c := sandbox.Command{Path: path, Argv: p.spec.Argv, Dir: dir, Env: env, CPUs: p.spec.CPUs, Files: files}
	var step *sandbox.StepError
	err := s.startBoxed(p, c, true)
	if errors.As(err, &step) {
		err = s.startBoxed(p, c, false)
	}
	if err == nil {
		s.refill(p.spec.Box)
	}
	return err
}

func (s *Spawner) startBoxed(p *Process, c sandbox.Command, old bool) error {
	r := s.take(p.spec.Box, old)
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
	child, err := p.spec.Box.Start(r.init, c)
	if err != nil {
		return err
	}
	p.child, p.pid, p.top = child, child.Pid, child.Top
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
	if own, _ := p.reapTop(); !reported {
		status = own
	}
	return status
}
