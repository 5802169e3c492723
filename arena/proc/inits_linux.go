package proc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"thera/arena/sandbox"
)

// Each engine is the child of an init, which is the child of the arena. All
// descendants of the init are the engine's, orphans too; the init itself is not.

// inits are inits that wait for their engines, so that a restart need not wait for
// one: those of engines in a box were started ahead, others had an engine before.
type inits struct {
	mu    sync.Mutex
	ahead map[string][]chan readyInit // by engine, which may play itself
	jobs  sync.WaitGroup
}

// engine tells the engines of a Spawner apart.
func (s *Spec) engine(measured bool) string {
	return fmt.Sprintf("%p %v %v %q %q", s.Box, s.CPUs, measured, s.Argv, s.Env)
}

type readyInit struct {
	init *sandbox.Init
	err  error
}

// prepare starts an init on the thread that starts all processes.
func (s *Spawner) prepare(spec *Spec, measured bool) readyInit {
	var r readyInit
	done := make(chan struct{})
	s.jobs <- func() {
		defer close(done)
		r.init, r.err = spec.Box.Prepare(spec.CPUs, measured)
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
func (s *Spawner) take(spec *Spec, measured bool) (r readyInit, old bool) {
	engine := spec.engine(measured)
	s.inits.mu.Lock()
	list := s.inits.ahead[engine]
	if len(list) > 0 {
		s.inits.ahead[engine] = list[1:]
	}
	s.inits.mu.Unlock()
	if len(list) == 0 {
		return s.prepare(spec, measured), false
	}
	return <-list[0], true
}

// refill starts an init for the engine's next start, if there is none.
func (s *Spawner) refill(spec Spec, measured bool) {
	engine := spec.engine(measured)
	s.inits.mu.Lock()
	defer s.inits.mu.Unlock()
	if len(s.inits.ahead[engine]) == 0 {
		next := s.inits.room(engine)
		s.inits.jobs.Go(func() { next <- s.prepare(&spec, measured) })
	}
}

// keep keeps an init for the next start of its engine.
func (i *inits) keep(engine string, init *sandbox.Init) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.room(engine) <- readyInit{init: init}
}

// room is a place for one more init of an engine.
func (i *inits) room(engine string) chan readyInit {
	if i.ahead == nil {
		i.ahead = map[string][]chan readyInit{}
	}
	next := make(chan readyInit, 1)
	i.ahead[engine] = append(i.ahead[engine], next)
	return next
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

// begin starts the process of p.
func (s *Spawner) begin(p *Process, path string, env []string, files [3]int) error {
	dir := p.spec.Dir
	if dir == "" || !filepath.IsAbs(dir) { // the init is elsewhere
		var err error
		if dir, err = filepath.Abs(dir); err != nil {
			return err
		}
	}
	c := sandbox.Command{Path: path, Argv: p.spec.Argv, Dir: dir, Env: env, Files: files}
	measured := func() bool { return p.spec.Memory > 0 && p.group == nil }
	r, old := s.take(&p.spec, measured())
	err := s.startIn(p, c, r)
	var step *sandbox.StepError
	if old && errors.As(err, &step) || errors.Is(err, errUngrouped) { // it may have died since
		err = s.startIn(p, c, s.prepare(&p.spec, measured()))
	}
	if err == nil && p.spec.Box != nil {
		s.refill(p.spec, measured())
	}
	return err
}

// errUngrouped is the error of an init that is in no memory cgroup and was to be.
var errUngrouped = errors.New("the memory cgroup cannot be used")

func (s *Spawner) startIn(p *Process, c sandbox.Command, r readyInit) error {
	if r.err != nil {
		return r.err
	}
	if err := p.group.Adopt(r.init.Pid); err != nil {
		p.group.Remove()
		p.group = nil
		r.init.Discard()
		if os.Getenv(cgroupEnv) != "" { // the user asked for a group
			return err
		}
		s.memory.giveUp()
		return errUngrouped
	}
	c.Group = p.group
	child, err := r.init.Start(c)
	if err != nil {
		return err
	}
	p.child, p.pid, p.top = child, child.Pid, child.Top
	return nil
}
