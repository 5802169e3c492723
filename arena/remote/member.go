package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
)

// standing is what the host knows of a worker from all its starts.
type standing struct {
	name     string
	now      *member // nil if it does not play
	last     string  // its latest start that played
	left     time.Time
	why      string // why it may no longer play: in its latest start or, if expelled, in any
	expelled bool
	excluded bool // none of its games counts

	handed, bad       int // pairs that it sent, and those of them that were false or stalled
	compared, charged int // pairs that were audited, and those of them for which it was charged
}

// member is a worker that plays, in one of its starts.
type member struct {
	hello
	*standing
	ctx     context.Context
	cancel  context.CancelFunc
	fetches bool // a piece of a file is being sent to it
}

// known returns the standing of a worker. The caller holds the lock.
func (h *Host) known(name string) *standing {
	if h.workers[name] == nil {
		h.workers[name] = &standing{name: name}
	}
	return h.workers[name]
}

// hello handles the hello of a worker. It answers that the run is being played or, if the worker
// may not play it, why.
func (h *Host) hello(msg *nats.Msg) {
	var w hello
	name, n := lastWord(msg.Subject), h.notice()
	if err := json.Unmarshal(msg.Data, &w); err != nil || CheckName(w.Start) != nil || CheckName(name) != nil {
		return
	}
	if err := h.heard(name, &w); err != nil {
		n.Refused = err.Error()
	}
	if mayReply(msg) {
		respond(h.Conn, msg, "", arena.JSON(n))
	}
}

// heard adds a worker that is new. The error says why it may not play.
func (h *Host) heard(name string, w *hello) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	is := h.known(name)
	switch {
	case w.Version != version:
		return fmt.Errorf("the run is played by another version of thera (its messages have version %d, those of the worker %d)",
			version, w.Version)
	case w.Slots < 1 || w.Slots > 4096:
		return fmt.Errorf("%d slots, want 1 to 4096", w.Slots)
	case is.now != nil && is.now.Start != w.Start:
		return fmt.Errorf("another worker plays the run under the name %s (see --name)", name)
	case is.now != nil && w.Gone:
		m := is.now
		h.work.Go(func() { h.part(m, "has left") })
	case is.now != nil:
	case is.expelled || is.why != "" && is.last == w.Start:
		return errors.New(is.why)
	case w.Gone || time.Since(is.left) < h.calm:
	case h.run.Last.Err() != nil:
		return errors.New("the run was interrupted")
	default:
		m := &member{hello: *w, standing: is}
		m.Sandbox, m.Pairs = arena.Cut(w.Sandbox, mostRemark), w.Pairs[:min(len(w.Pairs), mostKept*w.Slots)]
		m.ctx, m.cancel = context.WithCancel(h.ctx)
		is.now, is.last, is.why = m, w.Start, ""
		h.work.Go(func() { h.employ(m) })
	}
	return nil
}

// part ends the work of a member. Its pairs go to others.
func (h *Host) part(m *member, why string) {
	h.mu.Lock()
	was := m.now == m
	if was {
		m.now, m.left = nil, time.Now()
	}
	h.mu.Unlock()
	m.cancel()
	if was {
		h.say("worker %s %s", m.name, why)
	}
}

// expel expels a worker and all its later starts from the run. If excluded is set, this also
// holds for later starts of the run.
func (h *Host) expel(name string, excluded bool, why string) {
	h.mu.Lock()
	w := h.known(name)
	m, done := w.now, w.excluded || w.expelled && !excluded
	if !done {
		w.expelled, w.excluded, w.why = true, excluded, "it is expelled from this run: "+why
	}
	h.mu.Unlock()
	switch {
	case done:
		return
	case excluded:
		h.note(part{worker: name}, arena.Excluded, why)
	default:
		h.note(part{worker: name}, arena.Expelled, why)
	}
	if m != nil {
		h.part(m, "is expelled: "+why)
	}
}

// A worker is expelled when mostBad of its pairs, and more than one in badShare, were false or
// stalled.
const (
	mostBad  = 2
	badShare = 20
)

// judge counts a pair of a worker. err is not nil if the pair is false.
func (h *Host) judge(m *member, game string, err error, stalled bool) {
	if err != nil {
		text := ": a pair is refused: " + err.Error()
		h.say("worker %s%s", m.name, text)
		h.note(part{m.name, game}, arena.GameRefused, text)
	}
	h.mu.Lock()
	m.handed++
	if err != nil || stalled {
		m.bad++
	}
	out := m.bad >= mostBad && badShare*m.bad > m.handed
	why := fmt.Sprintf("%d of its %d pairs were false, or its machine stalled", m.bad, m.handed)
	h.mu.Unlock()
	if out {
		h.expel(m.name, false, why)
	}
}
