package remote

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"thera/arena/queue"
)

// answerLate is how long after the end of a worker's wait for a lease the answer may come.
const answerLate = time.Second

// take asks the host for a lease. Without one it returns nil after a while.
func (s *serving) take() *queue.Lease {
	ctx, cancel := context.WithTimeout(s.ctx, turn+answerLate)
	defer cancel()
	w := wanted{Session: s.Worker.session, Wait: turn, Joined: s.quiet(s.every / 2)}
	if w.Joined {
		w.Leases = s.has()
	}
	msg, err := s.Conn.RequestWithContext(ctx, subject(s.key, "take", s.Name), encode(w))
	if err != nil {
		if ctx.Err() == nil { // nobody is there now
			s.rest(200 * time.Millisecond)
		}
		return nil
	}
	s.hears()
	var d deal
	switch err := json.Unmarshal(msg.Data, &d); {
	case err != nil:
		s.say("a lease that cannot be read: %v", err)
		s.rest(time.Second)
	case d.Unknown: // the host was started again
		s.rest(200 * time.Millisecond)
		s.rejoin()
	case d.Lease == nil || len(d.Lease.Jobs) == 0:
		if d.Later {
			s.rest(200 * time.Millisecond)
		}
	default:
		s.mu.Lock()
		defer s.mu.Unlock()
		s.leases = append(s.leases, leaseName(*d.Lease))
		return d.Lease
	}
	return nil
}

// rejoin joins the run again, unless another slot just did.
func (s *serving) rejoin() {
	s.mu.Lock()
	soon := time.Since(s.rejoined) < time.Second
	if !soon {
		s.rejoined = time.Now()
	}
	s.mu.Unlock()
	var t terms
	if !soon && s.ask("join", encode(s.hello()), &t) == nil && t.Refused != "" && !t.Later {
		s.say("refused: %s", t.Refused)
		s.refuse()
		s.cancel()
	}
}

// has names the leases that the worker has.
func (s *serving) has() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.leases)
}

// release forgets a lease. Unless the host has ended it, it goes back.
func (s *serving) release(name string, ended bool) {
	s.mu.Lock()
	if i := slices.Index(s.leases, name); i >= 0 {
		s.leases = slices.Delete(s.leases, i, i+1)
	}
	s.mu.Unlock()
	if !ended {
		_ = s.Conn.Publish(subject(s.key, "back", s.Name), encode(back{Session: s.Worker.session, Lease: name})) // or the host sees it
	}
}
