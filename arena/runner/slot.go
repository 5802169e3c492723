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
		l, err := s.queue.Take(ctx)
		switch {
		case errors.Is(err, queue.ErrClosed):
			return nil
		case err != nil:
			return err
		}
		if err := s.lease(ctx, l); err != nil {
			s.queue.Return(l)
			return err
		}
	}
}

// lease plays a pair's games. They are stored while the next one is played;
// the lease is acknowledged when all are.
func (s *slotRun) lease(ctx context.Context, l queue.Lease) error {
	start, err := opening.Make(ctx, s.Plan, l.Jobs[0])
	if err != nil {
		return err
	}
	var stored sync.WaitGroup
	for i := range l.Jobs {
		job := l.Jobs[i]
		s.inbox <- message{started: &job, place: l.Place}
		rec, err := s.worker.Play(ctx, job, start)
		if err != nil {
			stored.Wait()
			return err
		}
		if rec.Source == arena.Stalled {
			stored.Wait() // what the pair has must be there before it is set aside
			return s.void(ctx, l, rec, i)
		}
		s.keep(ctx, message{finished: rec, place: l.Place}, rec, &stored)
	}
	s.inbox <- message{played: true, place: l.Place}
	s.pending.Go(func() {
		stored.Wait()
		s.queue.Done(l.Place)
	})
	return nil
}

// void sets the pair of a lease aside: the game that it played after some
// others stalled.
func (s *slotRun) void(ctx context.Context, l queue.Lease, rec *arena.Record, played int) error {
	if err := s.Store.Void(context.WithoutCancel(ctx), s.id, rec, l.Pair); err != nil {
		return &StoreError{"storing game " + rec.ID, err}
	}
	s.queue.Done(l.Place) // before the pair is offered once more
	s.inbox <- message{stalled: rec, place: l.Place, lease: len(l.Jobs), before: played}
	s.inbox <- message{played: true, place: l.Place}
	return nil
}

// keep stores rec in the background and then reports it. A finished game is
// stored even while the run is being stopped.
func (s *slotRun) keep(ctx context.Context, msg message, rec *arena.Record, stored *sync.WaitGroup) {
	s.puts <- struct{}{} // puts end by themselves: this does not wait for long
	stored.Add(1)
	s.pending.Go(func() {
		defer func() {
			<-s.puts
			stored.Done()
		}()
		if err := s.Store.Put(context.WithoutCancel(ctx), s.id, rec); err != nil {
			s.inbox <- message{err: &StoreError{"storing game " + rec.ID, err}}
			return
		}
		s.inbox <- msg
	})
}
