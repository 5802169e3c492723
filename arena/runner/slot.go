package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"thera/arena"
	"thera/arena/opening"
	"thera/arena/queue"
)

// slot is one worker's life: it takes leases until the queue or ctx ends.
func (r *run) slot(ctx context.Context, slot int, puts chan struct{}) {
	worker := r.Worker(slot)
	s := &slotRun{run: r, worker: worker, puts: puts}
	err := s.leases(ctx)
	s.pending.Wait()
	if closed := worker.Close(); closed != nil {
		err = errors.Join(err, fmt.Errorf("ending engines: %w", closed))
	}
	if err != nil {
		r.inbox <- message{err: err}
	}
}

type slotRun struct {
	*run
	worker  arena.Worker
	puts    chan struct{}
	pending sync.WaitGroup
}

func (s *slotRun) leases(ctx context.Context) error {
	for {
		taken, err := s.queue.Take(ctx)
		switch {
		case errors.Is(err, queue.ErrClosed):
			return nil
		case err != nil:
			return err
		}
		if err := s.lease(ctx, taken); err != nil {
			taken.Return()
			return err
		}
	}
}

// lease plays a pair's games. They are stored while the next one is played;
// the lease is acknowledged when all are.
func (s *slotRun) lease(ctx context.Context, taken queue.Taken) error {
	l := taken.Lease()
	start, err := opening.Make(ctx, s.Plan, l.Jobs[0])
	if err != nil {
		return err
	}
	if s.Remote != nil && s.Remote.Audit(l.Jobs[0].ID) {
		return s.again(ctx, taken, start)
	}
	var stored sync.WaitGroup
	handed := 0
	for i := range l.Jobs {
		job := l.Jobs[i]
		if _, _, wanted := s.ledger.wanted(job.ID); !wanted {
			continue
		}
		s.inbox <- message{started: &job, place: l.Place}
		rec, err := s.worker.Play(ctx, job, start)
		if err != nil {
			stored.Wait()
			return err
		}
		if rec.Source == arena.Stalled {
			stored.Wait() // what the pair has must be there before it is set aside
			taken.Done()  // before the pair is offered once more
			return s.voidPair(ctx, l.Place, rec, handed)
		}
		if s.ledger.claim(job.ID) {
			handed++
			s.keep(ctx, message{finished: rec, place: l.Place}, &stored)
		}
	}
	s.endLease(l.Place)
	s.pending.Go(func() {
		stored.Wait()
		taken.Done()
	})
	return nil
}

// again plays the games of an audit, which are stored already.
func (s *slotRun) again(ctx context.Context, taken queue.Taken, start arena.Opening) error {
	for _, job := range taken.Lease().Jobs {
		rec, err := s.worker.Play(ctx, job, start)
		if err != nil {
			return err
		}
		s.Remote.Audited(rec)
		if rec.Source == arena.Stalled {
			break
		}
	}
	taken.Done()
	return nil
}

// keep stores a game in the background and then reports it. A finished game is
// stored even while the run is being stopped.
func (s *slotRun) keep(ctx context.Context, msg message, stored *sync.WaitGroup) {
	s.puts <- struct{}{} // puts end by themselves: this does not wait for long
	stored.Add(1)
	s.pending.Go(func() {
		defer func() {
			<-s.puts
			stored.Done()
		}()
		_ = s.put(ctx, msg) // the loop has the error
	})
}
