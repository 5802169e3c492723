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

// member is one start of a worker that has joined.
type member struct {
	hello
	*standing
	name    string
	ctx     context.Context
	cancel  context.CancelFunc // it is gone
	playing bool
	fetches bool // a piece of a file is on its way
	left    time.Time
}

// standing is what the host thinks of a worker, whenever it is started again.
type standing struct {
	why      string // it may not play as long as it is not started again
	expelled bool   // not then either
	excluded bool   // and none of its games counts

	handed, bad       int // pairs, and those of them that were false or stalled
	compared, charged int // pairs, and those of them that were others than they should be
}

// known is what the host thinks of a worker, also before it has joined. The lock is held.
func (h *Host) known(name string) *standing {
	m := h.members[name]
	if m == nil {
		m = &member{name: name, standing: &standing{}}
		h.members[name] = m
	}
	return m.standing
}

// hello takes what a worker says about itself, and tells it that the run is played, and if not by it, why.
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
		respond(msg, "", encode(n))
	}
}

// heard enters a worker that was not there. The error says why it may not play.
func (h *Host) heard(name string, w *hello) error {
	if w.Version != version {
		return fmt.Errorf("the run is played by another version of thera (its messages have version %d, those of the worker %d)", version, w.Version)
	}
	if w.Slots < 1 || w.Slots > 4096 {
		return fmt.Errorf("%d slots: no machine has them", w.Slots)
	}
	m := &member{hello: *w, standing: &standing{}, name: name}
	m.Sandbox, m.Pairs = cut(w.Sandbox, mostRemark), w.Pairs[:min(len(w.Pairs), mostKept*w.Slots)]
	h.mu.Lock()
	defer h.mu.Unlock()
	if was := h.members[name]; was != nil {
		m.standing = was.standing
		switch {
		case was.playing && was.Start != w.Start:
			return fmt.Errorf("a worker of this name plays the run (names must differ, see --name): %s", name)
		case was.playing && w.Gone:
			h.work.Go(func() { h.part(was, "has left") })
			return nil
		case was.playing:
			return nil
		case was.expelled || was.why != "" && was.Start == w.Start:
			return errors.New(was.why)
		case time.Since(was.left) < h.calm:
			return nil
		}
	}
	if !w.Gone && !h.over {
		m.ctx, m.cancel = context.WithCancel(h.ctx)
		m.playing, m.why = true, ""
		h.members[name] = m
		h.work.Go(func() { h.employ(m) })
	}
	return nil
}

// part ends the work of a member that plays. Its pairs go to others.
func (h *Host) part(m *member, why string) {
	h.mu.Lock()
	was := m.playing
	if was {
		m.playing, m.left = false, time.Now()
		m.cancel()
	}
	h.mu.Unlock()
	if was {
		h.say("worker %s %s", m.name, why)
	}
}

// Dismiss takes a worker out of the run that can no longer be heard. Its pairs go to
// others at once.
func (h *Host) Dismiss(name, why string) {
	h.mu.Lock()
	m := h.members[name]
	h.mu.Unlock()
	if m != nil {
		h.part(m, "is dismissed: "+why)
	}
}

// expel takes a worker out of the run, also if it is started again. If it is excluded, it stays
// out of all starts of the run.
func (h *Host) expel(name string, excluded bool, why string) {
	kind := arena.Expelled
	if excluded {
		kind = arena.Excluded
	}
	h.mu.Lock()
	w := h.known(name)
	m := h.members[name]
	if w.excluded || w.expelled && !excluded {
		h.mu.Unlock()
		return
	}
	w.expelled, w.excluded, w.why = true, excluded, "it is expelled from this run: "+why
	h.mu.Unlock()
	h.keep(name, kind, "", why)
	h.part(m, "is expelled: "+why)
}

// A worker is expelled of which so many pairs were false or stalled, and more than one in badShare.
const (
	mostBad  = 2
	badShare = 20
)

// judge counts a pair of a worker. err says that it is false.
func (h *Host) judge(m *member, game string, err error, stalled bool) {
	if err != nil {
		text := ": a pair is refused: " + err.Error()
		h.say("worker %s%s", m.name, text)
		h.keep(m.name, arena.GameRefused, game, text)
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
