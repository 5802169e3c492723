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
	ahead map[string][]waiting // by engine, which may play itself
	jobs  sync.WaitGroup
}

// waiting waits until an init is started.
type waiting func() (*sandbox.Init, error)

// engine tells the engines of a Spawner apart.
func (s *Spec) engine() string {
	return fmt.Sprintf("%p %v %d %q %q", s.Box, s.CPUs, s.Memory, s.Argv, s.Env)
}

// prepare starts an init on the thread that starts all processes.
func (s *Spawner) prepare(spec *Spec) (init *sandbox.Init, err error) {
	memory := sandbox.Memory{}
	if spec.Memory > 0 {
		memory, _ = s.memory()
	}
	done := make(chan struct{})
	s.jobs <- func() {
		defer close(done)
		init, err = spec.Box.Prepare(spec.CPUs)
	}
	<-done
	if err == nil {
		err = init.Confine(memory, spec.Memory)
	}
	return init, err
}

// take returns an init that was started before, nil if there is none.
func (i *inits) take(engine string) waiting {
	i.mu.Lock()
	defer i.mu.Unlock()
	list := i.ahead[engine]
	if len(list) == 0 {
		return nil
	}
	i.ahead[engine] = list[1:]
	return list[0]
}

// refill starts an init for the engine's next start, if there is none.
func (s *Spawner) refill(spec Spec) {
	engine := spec.engine()
	s.inits.mu.Lock()
	defer s.inits.mu.Unlock()
	if len(s.inits.ahead[engine]) == 0 {
		next := sync.OnceValues(func() (*sandbox.Init, error) { return s.prepare(&spec) })
		s.inits.jobs.Go(func() { _, _ = next() })
		s.inits.ahead[engine] = []waiting{next}
	}
}

// keep keeps an init for the next start of its engine.
func (i *inits) keep(engine string, init *sandbox.Init) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.ahead[engine] = append(i.ahead[engine], func() (*sandbox.Init, error) { return init, nil })
}

// discard ends the inits that no engine used.
func (i *inits) discard() {
	i.jobs.Wait()
	for _, list := range i.ahead {
		for _, next := range list {
			if init, err := next(); err == nil {
				init.Discard()
			}
		}
	}
}

// begin starts the process of p.
func (s *Spawner) begin(p *Process, path string, env []string, files [3]int) error {
	dir, err := filepath.Abs(p.spec.Dir) // the init is elsewhere
	if err != nil {
		return err
	}
	c := sandbox.Command{Path: path, Argv: p.spec.Argv, Dir: dir, Env: env, Files: files}
	next := s.inits.take(p.spec.engine())
	if next != nil {
		err = p.startIn(c, next)
	}
	var step *sandbox.StepError
	if next == nil || errors.As(err, &step) { // it may have died since
		err = p.startIn(c, func() (*sandbox.Init, error) { return s.prepare(&p.spec) })
	}
	if err == nil && p.spec.Box != nil {
		s.refill(p.spec)
	}
	return err
}

func (p *Process) startIn(c sandbox.Command, next waiting) error {
	init, err := next()
	if err != nil {
		return err
	}
	if p.child, err = init.Start(c); err == nil {
		p.pid, p.top = p.child.Pid, p.child.Top
		if e, ok := readStat(p.top); ok {
			p.earlier = e.waited
		}
	}
	return err
}
