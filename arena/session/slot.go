package session

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"thera/arena"
	"thera/arena/tournament"
)

// slot plays pairs until ctx ends. Its engines start when the first pair comes. Each game is
// stored while the next one is played.
func (r *Run) slot(ctx context.Context, slot int, puts chan struct{}) error {
	var worker arena.Worker
	var pending sync.WaitGroup
	put := func(p *Pair, g *arena.Game) {
		puts <- struct{}{} // puts end by themselves: this does not wait for long
		pending.Go(func() {
			_ = r.Put(ctx, p, []*arena.Game{g}) // the run has the error
			<-puts
		})
	}
	var err error
	for err == nil {
		var p *Pair
		if p, err = r.Take(ctx, ""); err != nil {
			break
		}
		if worker == nil {
			worker = r.Worker(slot)
		}
		var games []*arena.Game
		games, err = PlayPair(ctx, r.Plan, worker, p.Jobs, func(job *arena.Job, g *arena.Game) error {
			switch {
			case g == nil && r.Last.Err() != nil:
				return r.Last.Err()
			case p.Audit != nil:
			case g == nil:
				r.event(arena.Event{Kind: arena.GameStarted, Job: job})
			default:
				if g.Source == arena.Stalled {
					pending.Wait() // what the pair has must be there before it is void
				}
				put(p, g)
			}
			return nil
		})
		if err != nil && r.Last.Err() != nil {
			pending.Wait()
			r.Return(p) // then the run ends with the games of others
		}
		if p.Audit != nil && err == nil {
			p.Audit("", games)
		}
	}
	pending.Wait()
	if worker != nil {
		if closed := worker.Close(); closed != nil {
			return errors.Join(err, fmt.Errorf("ending engines: %w", closed))
		}
	}
	return err
}

// PlayPair plays the games of a pair up to one that stalls. It calls each, which may be nil,
// before a game without it, and with it afterwards. An error of each ends it.
func PlayPair(
	ctx context.Context, plan *arena.Plan, worker arena.Worker, jobs []arena.Job, each func(job *arena.Job, g *arena.Game) error,
) (games []*arena.Game, err error) {
	start, err := tournament.Make(ctx, plan, jobs[0])
	if err != nil {
		return nil, err
	}
	if each == nil {
		each = func(*arena.Job, *arena.Game) error { return nil }
	}
	for i := range jobs {
		if err := each(&jobs[i], nil); err != nil {
			return games, err
		}
		g, err := worker.Play(ctx, jobs[i], start)
		if err == nil {
			err = each(&jobs[i], g)
		}
		if err != nil {
			return games, err
		}
		games = append(games, g)
		if g.Source == arena.Stalled {
			break
		}
	}
	return games, nil
}
