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

// inits are inits that had an engine and wait for its next start.
type inits struct {
	mu   sync.Mutex
	idle map[string][]*sandbox.Init // by engine, which may play itself
	ends sync.WaitGroup             // of those that start no other
}

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
		err = init.Confine(memory, spec.Memory, s.meter())
	}
	return init, err
}

// take returns an init of an engine that waits, nil if there is none.
func (i *inits) take(engine string) *sandbox.Init {
	i.mu.Lock()
	defer i.mu.Unlock()
	list := i.idle[engine]
	if len(list) == 0 {
		return nil
	}
	i.idle[engine] = list[1:]
	return list[0]
}

// keep keeps an init for the next start of its engine.
func (i *inits) keep(engine string, init *sandbox.Init) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.idle[engine] = append(i.idle[engine], init)
}

// discard ends the inits that wait.
func (i *inits) discard() {
	i.ends.Wait()
	for _, list := range i.idle {
		for _, init := range list {
			init.Discard()
		}
	}
	clear(i.idle)
}

// begin starts the process of p.
func (s *Spawner) begin(p *Process, path string, env []string, files [3]int) error {
	dir, err := filepath.Abs(p.spec.Dir) // the init is elsewhere
	if err != nil {
		return err
	}
	c := sandbox.Command{Path: path, Argv: p.spec.Argv, Dir: dir, Env: env, Files: files}
	init := s.inits.take(p.spec.engine())
	if init != nil {
		err = p.startIn(init, c)
	}
	var step *sandbox.StepError
	if init == nil || errors.As(err, &step) { // it may have died since
		if init, err = s.prepare(&p.spec); err == nil {
			err = p.startIn(init, c)
		}
	}
	return err
}

func (p *Process) startIn(init *sandbox.Init, c sandbox.Command) (err error) {
	if p.child, err = init.Start(c); err == nil {
		p.pid, p.top = p.child.Pid, p.child.Top
		if e, ok := readStat(p.top); ok {
			p.earlier = e.waited
		}
	}
	return err
}
