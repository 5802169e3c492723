package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"

	"thera/arena"
	"thera/arena/opening"
	"thera/arena/queue"
)

// serving is a run that a worker plays.
type serving struct {
	*Worker
	key, name string
	ctx       context.Context
	cancel    context.CancelFunc
	every     time.Duration // so often the host hears that the worker still plays, about

	// Of notices; the worker's lock is held.
	session string
	heard   time.Time
	over    bool
	refused bool // until the host is started again

	// The worker's lock is held.
	leases   []string  // that it has
	said     time.Time // when the host last heard which these are
	rejoined time.Time
}

// notice takes what the host announces. The worker's lock is held.
func (s *serving) notice(n notice) {
	s.heard = time.Now()
	if n.Over {
		s.over = true
		s.cancel()
		return
	}
	if n.Session != s.session {
		s.session = n.Session
		if s.refused { // it may accept now
			s.over = true
		}
	}
}

// silent reports for how long the host was not heard.
func (s *serving) silent() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.heard)
}

func (s *serving) say(format string, args ...any) {
	s.Say(s.name + ": " + fmt.Sprintf(format, args...))
}

// refuse notes that the run cannot be played here.
func (s *serving) refuse() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = true
}

// serve joins the run and plays it until it is over.
func (s *serving) serve() {
	defer s.cancel()
	var t terms
	for {
		t = terms{}
		err := s.ask("join", encode(s.hello()), &t)
		if err == nil && !t.Later {
			break
		}
		if err == nil {
			s.say("not yet: %s", t.Refused)
			s.rest(joinEvery)
		}
		if s.ctx.Err() != nil || s.silent() > silence {
			return
		}
	}
	if t.Refused != "" || t.Plan == nil {
		s.refuse()
		s.say("refused: %s", t.Refused)
		return
	}
	prepared, err := s.prepare(t.Plan)
	if err != nil {
		s.refuse()
		s.say("cannot be played here: %v", err)
		s.part("it cannot play the run: " + err.Error())
		return
	}
	s.say("joined, with %s", arena.Plural(s.Slots, "slot"))
	var all sync.WaitGroup
	s.every = max(min(joinEvery, t.Wait/3), 100*time.Millisecond)
	all.Go(s.stay)
	players := make([]arena.Worker, s.Slots)
	for range s.Slots {
		all.Go(func() { s.slot(prepared, players) })
	}
	all.Wait()
	for _, p := range players {
		if p != nil {
			if err := p.Close(); err != nil {
				s.say("ending engines: %v", err)
			}
		}
	}
	s.part("")
	s.say("is over here")
}

// prepare finds what the run needs here, or takes it from the host.
func (s *serving) prepare(p *plan) (*Prepared, error) {
	if s.Accept != nil && len(p.Files) > 0 {
		if err := s.Accept(p.Files, s.fetch); err != nil {
			return nil, err
		}
	}
	return s.Prepare(&p.Info, p.Engines)
}

func (s *serving) hello() hello {
	return hello{Version: version, Worker: s.Name, Session: s.Worker.session, Slots: s.Slots, Speed: s.Speed, Sandbox: s.Sandbox, Leases: s.has()}
}

// ask sends a request to the host and reads its answer.
func (s *serving) ask(what string, data []byte, into any) error {
	ctx, cancel := context.WithTimeout(s.ctx, s.answer)
	defer cancel()
	msg, err := s.Conn.RequestWithContext(ctx, subject(s.key, what, s.Name), data)
	if err != nil {
		s.rest(time.Second)
		return err
	}
	s.hears()
	return json.Unmarshal(msg.Data, into)
}

// hears notes that the host is there.
func (s *serving) hears() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = time.Now()
}

// rest waits for so long, or for the end.
func (s *serving) rest(d time.Duration) {
	select {
	case <-time.After(d):
	case <-s.ctx.Done():
	}
}

// part tells the host that the worker has left.
func (s *serving) part(reason string) {
	_, _ = s.Conn.Request(subject(s.key, "leave", s.Name), encode(leave{Reason: reason}), time.Second) // it would notice the silence
}

// stay tells the host from time to time that the worker still plays, unless it has said so
// when it asked for a lease, until the run is over or the host has been silent for too long.
func (s *serving) stay() {
	defer s.cancel()
	tick := time.NewTicker(s.every)
	defer tick.Stop()
	for s.silent() < patience {
		select {
		case <-tick.C:
		case <-s.ctx.Done():
			return
		}
		if !s.quiet(3 * s.every / 4) {
			continue
		}
		var t terms
		h := s.hello()
		h.Joined = true
		if s.ask("join", encode(h), &t) == nil && t.Refused != "" {
			s.say("refused: %s", t.Refused)
			s.refuse()
			return
		}
	}
	s.say("its host has been silent for %v: its games are dropped", patience)
}

// quiet reports whether the host has not heard for so long which leases the worker has. It
// hears it now.
func (s *serving) quiet(d time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.said) < d {
		return false
	}
	s.said = time.Now()
	return true
}

// turn is for how long a slot waits for a lease of one run before another run's turn.
const turn = 2 * time.Second

// slot takes leases of the run, whenever the worker has a slot that is free. It hands in
// the games of a lease while it plays the next one.
func (s *serving) slot(prepared *Prepared, players []arena.Worker) {
	var handing sync.WaitGroup
	defer handing.Wait()
	for {
		var slot int
		select {
		case slot = <-s.slots:
		case <-s.ctx.Done():
			return
		}
		if lease := s.take(); lease != nil {
			if players[slot] == nil {
				players[slot] = prepared.Worker(slot)
			}
			data, err := s.play(prepared.Plan, players[slot], lease)
			if err != nil {
				s.give(err)
			}
			handing.Wait()
			handing.Go(func() { s.release(leaseName(*lease), data != nil && s.handIn(lease, data)) })
		}
		s.slots <- slot
		if s.ctx.Err() != nil {
			return
		}
	}
}

// play plays a lease and returns its games, packed. Without an error, they are missing if
// the run is over.
func (s *serving) play(plan *arena.Plan, player arena.Worker, lease *queue.Lease) ([]byte, error) {
	start, err := opening.Make(s.ctx, plan, lease.Jobs[0])
	if err != nil {
		return nil, s.unlessOver(err)
	}
	var games []*arena.Record
	for _, job := range lease.Jobs {
		rec, err := player.Play(s.ctx, job, start)
		if err != nil {
			return nil, s.unlessOver(err)
		}
		games = append(games, rec)
		if rec.Source == arena.Stalled {
			break
		}
	}
	return Pack(games)
}

// handIn hands in the games of a lease, and reports whether the host has ended it: they
// are stored or refused.
func (s *serving) handIn(lease *queue.Lease, data []byte) bool {
	err := s.hand(leaseName(*lease), data)
	if err != nil && !errors.Is(err, context.Canceled) { // why it is refused, also if it was the last time
		s.say("%v", err)
	}
	return s.ctx.Err() == nil
}

// give gives the run up: this machine cannot play it.
func (s *serving) give(err error) {
	s.mu.Lock()
	first := !s.refused
	s.refused = true
	s.mu.Unlock()
	if first {
		s.say("%v", err)
		s.part(err.Error())
		s.cancel()
	}
}

func (s *serving) unlessOver(err error) error {
	if s.ctx.Err() != nil {
		return nil
	}
	return err
}

// room is what a message needs besides its data.
const room = 4 << 10

// hand hands the games of a lease in until there is a receipt, or the run is over. The error is that
// of games that are refused.
func (s *serving) hand(lease string, data []byte) error {
	for s.ctx.Err() == nil {
		var r receipt
		var err error
		for _, msg := range cut(subject(s.key, "games", s.Name), nuid.Next(), data, int(s.Conn.MaxPayload())-room) {
			msg.Header.Set(headerLease, lease)
			if r, err = s.send(msg); err != nil || !r.More {
				break
			}
		}
		switch {
		case r.Stored:
			return nil
		case r.Refused != "":
			if r.Out {
				s.refuse()
				s.cancel()
			}
			return errors.New(r.Refused)
		case r.Unknown: // the host was started again
			var t terms
			if s.ask("join", encode(s.hello()), &t) == nil && t.Refused != "" {
				return errors.New(t.Refused)
			}
		default:
			s.rest(time.Second)
		}
	}
	return s.ctx.Err()
}

// send sends one message and waits for its receipt.
func (s *serving) send(msg *nats.Msg) (r receipt, err error) {
	ctx, cancel := context.WithTimeout(s.ctx, s.answer)
	defer cancel()
	answer, err := s.Conn.RequestMsgWithContext(ctx, msg)
	if err == nil {
		err = json.Unmarshal(answer.Data, &r)
	}
	return r, err
}
