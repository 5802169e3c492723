package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"thera/arena"
	"thera/arena/opening"
)

// slot is one worker's life: it plays pairs until ctx ends.
func (r *run) slot(ctx context.Context, slot int, puts chan struct{}) {
	worker := r.Worker(slot)
	s := &slotRun{run: r, worker: worker, puts: puts}
	err := s.all(ctx)
	s.pending.Wait()
	r.leave(worker, err)
}

// leave ends a worker's life.
func (r *run) leave(worker arena.Worker, err error) {
	if closed := worker.Close(); closed != nil {
		err = errors.Join(err, fmt.Errorf("ending engines: %w", closed))
	}
	if err != nil {
		r.inbox <- message{err: err}
	}
}

// referee plays the games of which Remote wants this machine's word, until ctx ends. Its
// engines start when the first comes.
func (r *run) referee(ctx context.Context, slot int) {
	var s *slotRun
	for jobs := r.Remote.Dispute(ctx); jobs != nil; jobs = r.Remote.Dispute(ctx) {
		if s == nil {
			s = &slotRun{run: r, worker: r.Worker(slot)}
			defer func() { r.leave(s.worker, nil) }()
		}
		if err := s.again(ctx, jobs); err != nil {
			r.inbox <- message{err: err}
			return
		}
	}
}

type slotRun struct {
	*run
	worker  arena.Worker
	puts    chan struct{}
	pending sync.WaitGroup
}

func (s *slotRun) all(ctx context.Context) error {
	for {
		p, err := s.pairs.Take(ctx, "", false)
		if err != nil {
			return err
		}
		if err := s.play(ctx, p); err != nil {
			return err
		}
	}
}

// play plays a pair's games. They are stored while the next one is played.
func (s *slotRun) play(ctx context.Context, p *Pair) error {
	if p.Audit != nil {
		return s.again(ctx, p.Jobs)
	}
	start, err := opening.Make(ctx, s.Plan, p.Jobs[0])
	if err != nil {
		return err
	}
	var stored sync.WaitGroup
	handed := 0
	for _, job := range p.Jobs {
		if !s.pairs.wants(p, job.ID) {
			continue
		}
		s.inbox <- message{started: &job}
		rec, err := s.worker.Play(ctx, job, start)
		if err != nil {
			stored.Wait()
			return err
		}
		if rec.Source == arena.Stalled {
			stored.Wait() // what the pair has must be there before it is set aside
			return s.voidPair(ctx, p, rec, handed)
		}
		if s.pairs.came(p, job.ID) {
			handed++
			s.keep(ctx, rec, &stored)
		}
	}
	s.ended(p)
	return nil
}

// again plays the games of an audit, which are stored already.
func (s *slotRun) again(ctx context.Context, jobs []arena.Job) error {
	start, err := opening.Make(ctx, s.Plan, jobs[0])
	if err != nil {
		return err
	}
	var recs []*arena.Game
	for _, job := range jobs {
		rec, err := s.worker.Play(ctx, job, start)
		if err != nil {
			return err
		}
		recs = append(recs, rec)
		if rec.Source == arena.Stalled {
			break
		}
	}
	s.Remote.Audited(recs)
	return nil
}

// keep stores a game in the background and then reports it. A finished game is
// stored even while the run is being stopped.
func (s *slotRun) keep(ctx context.Context, rec *arena.Game, stored *sync.WaitGroup) {
	s.puts <- struct{}{} // puts end by themselves: this does not wait for long
	stored.Add(1)
	s.pending.Go(func() {
		defer func() {
			<-s.puts
			stored.Done()
		}()
		_ = s.put(ctx, rec) // the loop has the error
	})
}
