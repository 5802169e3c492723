package session

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"thera/arena"
	"thera/arena/tournament"
)

// slot plays pairs until ctx ends; as the referee, audits that nobody else may play. Its engines
// start when the first pair comes.
func (r *run) slot(ctx context.Context, slot int, referee bool, puts chan struct{}) {
	s := &slotRun{run: r, puts: puts}
	var err error
	for err == nil {
		var p *Pair
		if p, err = r.pairs.take(ctx, &taker{referee: referee, got: make(chan *Pair, 1)}); err != nil {
			break
		}
		if s.worker == nil {
			s.worker = r.Worker(slot)
		}
		err = s.play(ctx, p)
	}
	s.pending.Wait()
	if s.worker != nil {
		if closed := s.worker.Close(); closed != nil {
			err = errors.Join(err, fmt.Errorf("ending engines: %w", closed))
		}
	}
	r.inbox <- failed(err)
}

// PlayPair plays the games of a pair up to one that stalls.
func PlayPair(ctx context.Context, plan *arena.Plan, worker arena.Worker, jobs []arena.Job) (recs []*arena.Game, err error) {
	start, err := tournament.Make(ctx, plan, jobs[0])
	for _, job := range jobs {
		if err != nil || len(recs) > 0 && recs[len(recs)-1].Source == arena.Stalled {
			break
		}
		var rec *arena.Game
		if rec, err = worker.Play(ctx, job, start); err == nil {
			recs = append(recs, rec)
		}
	}
	return recs, err
}

type slotRun struct {
	*run
	worker  arena.Worker
	puts    chan struct{}
	pending sync.WaitGroup
}

// play plays a pair's games. They are stored while the next one is played.
func (s *slotRun) play(ctx context.Context, p *Pair) error {
	if p.Audit != nil {
		recs, err := PlayPair(ctx, s.Plan, s.worker, p.Jobs)
		if err == nil {
			p.Audit("", recs)
		}
		return err
	}
	start, err := tournament.Make(ctx, s.Plan, p.Jobs[0])
	if err != nil {
		return err
	}
	var stored sync.WaitGroup
	handed := 0
	for _, job := range p.Jobs {
		if !s.pairs.wants(p, job.ID) {
			continue
		}
		s.inbox <- func(context.Context) error {
			s.emit(arena.Event{Kind: arena.GameStarted, Job: &job})
			return nil
		}
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
