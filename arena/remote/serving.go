package remote

import (
	"context"
	"fmt"
	"strconv"
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

	ready    chan struct{} // closed when it can be played, or cannot
	err      error         // why it cannot
	prepared *Prepared
	players  []arena.Worker // by slot

	// The worker's lock is held.
	pairs map[string]*playing // by their first games
	heard time.Time           // when the host was heard last
	host  string              // the start of it that has announced the run
	why   string              // it is dropped
}

func (s *serving) say(format string, args ...any) {
	s.Say(s.name + ": " + fmt.Sprintf(format, args...))
}

// serve serves a run until it is over.
func (s *serving) serve(t *terms) {
	defer s.cancel()
	defer s.forget()
	if s.err = s.prepare(t); s.err != nil {
		s.say("cannot be played here: %v", s.err)
		close(s.ready)
		return
	}
	s.players = make([]arena.Worker, s.Slots)
	s.say("joined, with %s", arena.Plural(s.Slots, "slot"))
	close(s.ready)
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
func (s *serving) play(p *playing) {
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
	var games []*arena.Record
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
	return Pack(games)
}

// answer answers with the games of a pair that is played, or the piece of them that begins at
// a place. A run that this machine cannot play ends here.
func (s *serving) answer(p *playing, at int, msg *nats.Msg) {
	switch {
	case s.ctx.Err() != nil && p.data == nil:
		return
	case p.err != nil:
		respond(msg, stateFailed, []byte(p.err.Error()))
		s.forget()
		s.cancel()
		return
	}
	at = min(max(at, 0), len(p.data))
	answer := nats.NewMsg(msg.Reply)
	answer.Data = p.data[at:min(at+pieceSize, len(p.data))]
	if len(p.data) > pieceSize {
		answer.Header.Set(headerSize, strconv.Itoa(len(p.data)))
	}
	_ = msg.RespondMsg(answer) // or it is asked again
}
