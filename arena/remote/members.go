package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
)

// member is a worker that has joined.
type member struct {
	name    string
	slots   int
	speed   float64 // its reference speed
	sandbox string  // what it holds
	start   string  // of the worker
	pairs   []string
	since   time.Time
	ctx     context.Context // ends when it is gone
	cancel  context.CancelFunc

	// The host's lock is held.
	state   state
	why     string // it does not play
	seen    time.Time
	absent  bool     // nobody hears what it is asked
	done    []string // pairs that it need not keep, as far as it does not know
	refused int      // games
	handed  int      // pairs
	stalls  int      // of them
}

// state is whether a member plays; each state is more final than the one before it.
type state int

const (
	plays           state = iota
	left                  // it may come back
	unable                // it cannot play the run, as long as it is not started again
	expelled              // from this start of the run
	excludedForGood       // from all its starts, with its games
)

// Slots implements session.Remote. It is asked for each game.
func (h *Host) Slots() (workers, slots int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.workers, h.slots
}

// lookForSilence parts from workers that are not heard any more.
func (h *Host) lookForSilence() {
	h.mu.Lock()
	var silent []*member
	for _, m := range h.members {
		if m.state == plays && time.Since(m.seen) > h.Wait {
			silent = append(silent, m)
		}
	}
	h.mu.Unlock()
	for _, m := range silent {
		h.part(m, left, "is silent: its pairs go to others")
	}
}

// nameIn is the last word of a subject: the name of a worker that says something.
func nameIn(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// hello takes what a worker says about itself.
func (h *Host) hello(msg *nats.Msg) {
	var w hello
	name := nameIn(msg.Subject)
	if err := json.Unmarshal(msg.Data, &w); err != nil || CheckName(w.Start) != nil || CheckName(name) != nil {
		return
	}
	if w.Version != version {
		h.reject(name, w.Start, fmt.Sprintf("the run is played by another version of thera (its messages have version %d, those of the worker %d)", version, w.Version))
		return
	}
	h.mu.Lock()
	was := h.members[name]
	same := was != nil && was.state == plays && was.start == w.Start
	if same {
		was.seen = time.Now()
	}
	h.mu.Unlock()
	switch {
	case same && w.Gone:
		h.part(was, left, "has left")
	case same || w.Gone:
	default:
		if err := h.admit(name, &w, was); err != nil {
			h.reject(name, w.Start, err.Error())
		}
	}
}

// reject tells a worker why it does not play the run.
func (h *Host) reject(name, start, why string) {
	n := h.notice()
	n.Refused = why
	_ = h.Conn.Publish(callSubject(name, start, "part"), encode(n)) // or it says hello again
}

var errInUse = errors.New("a worker of this name plays the run (names must differ, see --name)")

// admit enters a worker that was not there, or was another start of it.
func (h *Host) admit(name string, w *hello, was *member) error {
	switch {
	case w.Slots < 1 || w.Slots > 4096:
		return fmt.Errorf("%d slots, expected 1 to 4096", w.Slots)
	case !(w.Speed >= 0 && w.Speed <= mostSpeed):
		return fmt.Errorf("reference speed %g, expected at most %g", w.Speed, float64(mostSpeed))
	}
	m := &member{
		name: name, slots: w.Slots, speed: w.Speed, sandbox: cut(w.Sandbox, mostRemark), start: w.Start,
		pairs: w.Pairs[:min(len(w.Pairs), mostClaims*w.Slots)], since: time.Now(), seen: time.Now(),
	}
	earlier := member{state: left}
	h.mu.Lock()
	full := len(h.members) >= mostMembers
	if was != nil { // it does not get rid of what it did
		earlier = *was
		m.refused, m.handed, m.stalls = was.refused, was.handed, was.stalls
	}
	h.mu.Unlock()
	switch earlier.state {
	case excludedForGood:
		return fmt.Errorf("worker %s is expelled from this run: %s", name, earlier.why)
	case expelled:
		return fmt.Errorf("worker %s is expelled: %s", name, earlier.why)
	case plays:
		if !earlier.absent {
			return fmt.Errorf("%w: %s", errInUse, name)
		}
		if time.Since(earlier.since) < h.calm {
			return nil // nobody starts again so often
		}
		h.part(was, left, "has gone: its pairs go to others")
	default:
		switch {
		case time.Since(earlier.seen) < h.calm || earlier.state == unable && earlier.start == w.Start:
			return nil // it says hello again, or has said why
		case was == nil && full:
			return fmt.Errorf("the run has had %d workers, and takes no more", mostMembers)
		}
	}
	err := h.sameSpeed(m)
	m.ctx, m.cancel = context.WithCancel(h.ctx)
	h.mu.Lock()
	h.members[name] = m
	h.mu.Unlock()
	if err != nil {
		h.part(m, unable, "is refused: "+err.Error())
		return err
	}
	h.work.Go(func() { h.employ(m) })
	return nil
}

// mostApart is by how much the speed of machines may differ under limits of time.
const mostApart = 0.10

// sameSpeed refuses a machine that may not play the run together with others. Under limits of time
// those may whose reference speed is within 10 % of that of the host, or of the first worker if
// the host plays nothing.
func (h *Host) sameSpeed(w *member) error {
	timed := slices.ContainsFunc(h.Plan.Engines, func(e arena.EngineSpec) bool {
		limit := h.Plan.LimitOf(&e)
		return !limit.Exact()
	})
	if !timed || h.Plan.Mixed {
		return nil
	}
	with, whose := h.Speed, "this machine"
	if with == 0 {
		first := w
		h.mu.Lock()
		for _, m := range h.members {
			if m.state == plays && m.name != w.name && (first == w || m.since.Before(first.since)) {
				first = m
			}
		}
		h.mu.Unlock()
		with, whose = first.speed, "worker "+first.name
	}
	if ratio := w.speed / with; with > 0 && (ratio < 1-mostApart || ratio > 1/(1-mostApart)) {
		return fmt.Errorf("its reference speed is %.0f %% of that of %s (%.0f and %.0f): "+
			"under limits of time machines may differ by 10 %%, unless the run says mixed: true", 100*ratio, whose, w.speed, with)
	}
	return nil
}

// part ends the work of a member, unless it has ended already for such a reason. Its pairs go to
// others.
func (h *Host) part(m *member, to state, why string) (first bool) {
	h.mu.Lock()
	if first = m.state < to; first {
		m.state, m.why, m.seen, m.done = to, why, time.Now(), nil
	}
	h.mu.Unlock()
	m.cancel()
	if first && to < expelled {
		h.say(remark("worker %s %s", m.name, why))
	}
	return first
}

// Dismiss takes a worker out of the run that can no longer be heard. Its pairs go to
// others at once.
func (h *Host) Dismiss(name, why string) {
	h.mu.Lock()
	m := h.members[name]
	h.mu.Unlock()
	if m != nil {
		h.part(m, left, "is dismissed: "+why)
	}
}

// refuse counts a worker's false games, and expels it if there are too many.
func (h *Host) refuse(m *member, untrue *falseGame) {
	h.report(m.name, arena.GameRefused, untrue.ID, ": "+untrue.Error())
	h.mu.Lock()
	m.refused++
	most := m.refused >= mostRefused
	h.mu.Unlock()
	if most {
		h.expel(m, fmt.Sprintf("it handed in %d false games", mostRefused))
	}
}

// stalled counts the pairs of a worker, and expels it if too many of them stalled.
func (h *Host) stalled(m *member, stalled bool) (busy bool) {
	h.mu.Lock()
	m.handed++
	if stalled {
		m.stalls++
	}
	busy = stalled && m.stalls >= 2 && 20*m.stalls > m.handed
	text := fmt.Sprintf("its machine is too busy: %d of its %d pairs stalled", m.stalls, m.handed)
	h.mu.Unlock()
	if busy {
		h.expel(m, text)
	}
	return busy
}

// expel takes a worker out of this start of the run.
func (h *Host) expel(m *member, why string) {
	if h.part(m, expelled, why) {
		h.report(m.name, arena.Expelled, "", " is expelled: "+why)
		h.reject(m.name, m.start, "it is expelled: "+why)
	}
}
