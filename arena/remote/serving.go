package remote

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
	"thera/arena/opening"
)

// serving is a run that a worker plays.
type serving struct {
	*Worker
	key, name string
	ctx       context.Context
	cancel    context.CancelFunc
	work      sync.WaitGroup // pairs that are played

	joined   *task // what the run needs is here, or is not
	prepared *Prepared
	players  []arena.Worker // by slot

	// The worker's lock is held.
	pairs map[string]*task // by their first games
	heard time.Time        // when the host was heard last
	host  string           // the start of it that has announced the run
	why   string           // it is dropped
}

func (s *serving) say(format string, args ...any) {
	s.Say(s.name + ": " + fmt.Sprintf(format, args...))
}

// serve serves a run until it is over.
func (s *serving) serve(t *terms) {
	defer s.forget()
	if s.joined.err = s.prepare(t); s.joined.err != nil {
		s.say("cannot be played here: %v", s.joined.err)
		close(s.joined.done)
		<-s.ctx.Done() // the host is told
		return
	}
	s.players = make([]arena.Worker, s.Slots)
	s.say("joined, with %s", arena.Plural(s.Slots, "slot"))
	close(s.joined.done)
	<-s.ctx.Done()
	s.forget() // nothing is begun any more
	s.work.Wait()
	for _, p := range s.players {
		if p != nil {
			if err := p.Close(); err != nil {
				s.say("ending engines: %v", err)
			}
		}
	}
	s.mu.Lock()
	why := s.why
	s.mu.Unlock()
	if why != "" {
		s.say("%s", why)
	}
	s.say("is over here")
}

// forget ends the run here.
func (s *serving) forget() {
	s.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runs[s.key] == s {
		delete(s.runs, s.key)
	}
}

// prepare finds what the run needs here, or takes it from the host.
func (s *serving) prepare(t *terms) (err error) {
	if s.Accept != nil && t.Ship {
		if err := s.Accept(t.Engines, s.fetch); err != nil {
			return err
		}
	}
	s.prepared, err = s.Prepare(&t.Info, t.Engines)
	return err
}

// play plays a pair when there is a slot.
func (s *serving) play(p *task) {
	defer close(p.done)
	var slot int
	select {
	case slot = <-s.slots:
		defer func() { s.slots <- slot }()
	case <-s.ctx.Done():
		return
	}
	if s.players[slot] == nil {
		s.players[slot] = s.prepared.Worker(slot)
	}
	if p.data, p.err = s.games(s.players[slot], p.jobs); p.err != nil && s.ctx.Err() == nil {
		s.say("%v", p.err)
	}
}

// games plays the games of a pair.
func (s *serving) games(player arena.Worker, jobs []arena.Job) ([]byte, error) {
	start, err := opening.Make(s.ctx, s.prepared.Plan, jobs[0])
	if err != nil {
		return nil, err
	}
	var games []*arena.Game
	for _, job := range jobs {
		rec, err := player.Play(s.ctx, job, start)
		if err != nil {
			return nil, err
		}
		games = append(games, rec)
		if rec.Source == arena.Stalled {
			break
		}
	}
	return Pack(games, s.Conn.MaxPayload())
}

// answer answers a call when a task is done, or says that it is not. A run that this machine
// cannot play ends here when its host knows it.
func (s *serving) answer(t *task, wait time.Duration, msg *nats.Msg) {
	s.all.Go(func() {
		select {
		case <-t.done:
			if t.err == nil {
				respond(msg, "", t.data)
			} else if s.ctx.Err() == nil {
				respond(msg, stateFailed, []byte(t.err.Error()))
				s.forget()
			}
		case <-time.After(wait):
			respond(msg, stateStill, nil)
		case <-s.ctx.Done():
		}
	})
}
