package remote

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
	"thera/arena/session"
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
	var fetch Fetch
	if t.Ship {
		fetch = s.fetch
	}
	s.prepared, s.joined.err = s.Prepare(&t.Info, t.Engines, fetch)
	if err := s.joined.err; err != nil {
		s.say("cannot be played here: %v", err)
	} else {
		s.players = make([]arena.Worker, s.Slots)
		s.say("joined, with %s", arena.Plural(s.Slots, "slot"))
	}
	close(s.joined.done)
	<-s.ctx.Done()
	s.mu.Lock()
	s.drop(s, "") // nothing is begun any more
	why := s.why
	s.mu.Unlock()
	s.work.Wait()
	for _, p := range s.players {
		if p != nil {
			if err := p.Close(); err != nil {
				s.say("ending engines: %v", err)
			}
		}
	}
	if why != "" {
		s.say("%s", why)
	}
	if s.prepared != nil {
		s.say("is over here")
	}
}

// play plays a pair when there is a slot.
func (s *serving) play(p *task) {
	defer close(p.done)
	var slot int
	select {
	case slot = <-s.slots:
		defer func() { s.slots <- slot }()
	case <-s.ctx.Done():
		p.err = s.ctx.Err()
		return
	}
	if s.players[slot] == nil {
		s.players[slot] = s.prepared.Worker(slot)
	}
	var games []*arena.Game
	if games, p.err = session.PlayPair(s.ctx, s.prepared.Plan, s.players[slot], p.jobs); p.err == nil {
		p.data, p.err = Pack(games, s.Conn.MaxPayload())
	}
	if p.err != nil && s.ctx.Err() == nil {
		s.say("%v", p.err)
	}
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
				s.cancel()
			}
		case <-time.After(wait):
			respond(msg, stateStill, nil)
		case <-s.ctx.Done():
		}
	})
}
