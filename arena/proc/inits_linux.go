package proc

import (
	"errors"
	"fmt"
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
func (s *Spec) engine() string {
	return fmt.Sprintf("%p %v %d %q %q", s.Box, s.CPUs, s.Memory, s.Argv, s.Env)
}

type readyInit struct {
	init *sandbox.Init
	err  error
}

// prepare starts an init on the thread that starts all processes.
func (s *Spawner) prepare(spec *Spec) (r readyInit) {
	memory := sandbox.Memory{}
	if spec.Memory > 0 {
		memory, _ = s.memory()
	}
	done := make(chan struct{})
	s.jobs <- func() {
		defer close(done)
		r.init, r.err = spec.Box.Prepare(spec.CPUs)
	}
	<-done
	if r.err == nil {
		r.err = r.init.Confine(memory, spec.Memory)
	}
	return r
}

// take returns an init, old if it was started ahead.
func (s *Spawner) take(spec *Spec) (r readyInit, old bool) {
	engine := spec.engine()
	s.inits.mu.Lock()
	list := s.inits.ahead[engine]
	if len(list) > 0 {
		s.inits.ahead[engine] = list[1:]
	}
	s.inits.mu.Unlock()
	if len(list) == 0 {
		return s.prepare(spec), false
	}
	return <-list[0], true
}

// refill starts an init for the engine's next start, if there is none.
func (s *Spawner) refill(spec Spec) {
	engine := spec.engine()
	s.inits.mu.Lock()
	defer s.inits.mu.Unlock()
	if len(s.inits.ahead[engine]) == 0 {
		next := s.inits.room(engine)
		s.inits.jobs.Go(func() { next <- s.prepare(&spec) })
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
			if r := <-next; r.err == nil {
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
	r, old := s.take(&p.spec)
	err := p.startIn(c, r)
	var step *sandbox.StepError
	if old && errors.As(err, &step) { // it may have died since
		err = p.startIn(c, s.prepare(&p.spec))
	}
	if err == nil && p.spec.Box != nil {
		s.refill(p.spec)
	}
	return err
}

func (p *Process) startIn(c sandbox.Command, r readyInit) (err error) {
	if r.err != nil {
		return r.err
	}
	if p.child, err = r.init.Start(c); err == nil {
		p.pid, p.top = p.child.Pid, p.child.Top
		if e, ok := readStat(p.top, p.stat[:]); ok {
			p.earlier = e.waited
		}
	}
	return err
}
