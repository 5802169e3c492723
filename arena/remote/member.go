package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
)

// member is a worker that has joined.
type member struct {
	hello
	name   string
	ctx    context.Context
	cancel context.CancelFunc // it is gone

	// The host's lock is held.
	playing bool
	left    time.Time
	why     string             // it may not play as long as it is not started again
	banned  arena.IncidentKind // not then either
	done    []string           // pairs that it need not keep, as far as it does not know
	refused int                // pairs
	handed  int                // pairs
	stalls  int                // of them
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
	if w.Slots < 1 || w.Slots > 4096 || !(w.Speed >= 0 && w.Speed <= mostFigure) {
		return fmt.Errorf("%d slots and a reference speed of %g: no machine has them", w.Slots, w.Speed)
	}
	m := &member{hello: *w, name: name}
	m.Sandbox, m.Pairs = cut(w.Sandbox, mostRemark), w.Pairs[:min(len(w.Pairs), mostKept*w.Slots)]
	h.mu.Lock()
	was := h.members[name]
	switch {
	case was == nil:
		was = m
	case was.playing && was.Start == w.Start:
		h.mu.Unlock()
		if w.Gone {
			h.part(was, "has left")
		}
		return nil
	}
	defer h.mu.Unlock()
	switch {
	case was.why != "" && (was.banned != "" || was.Start == w.Start):
		return errors.New(was.why)
	case was.playing:
		return fmt.Errorf("a worker of this name plays the run (names must differ, see --name): %s", name)
	case w.Gone || h.over || time.Since(was.left) < h.calm:
		return nil
	}
	m.refused, m.handed, m.stalls = was.refused, was.handed, was.stalls // it does not get rid of what it did
	h.members[name] = m
	if err := h.sameSpeed(m); err != nil {
		if was.why == "" { // once: it may start again and again
			h.work.Go(func() { h.say("worker %s is refused: %v", name, err) })
		}
		m.why = err.Error()
		return err
	}
	m.playing = true
	m.ctx, m.cancel = context.WithCancel(h.ctx)
	h.work.Go(func() { h.employ(m) })
	return nil
}

// mostApart is by how much the speed of machines may differ under limits of time.
const mostApart = 0.10

// sameSpeed refuses a machine that may not play the run together with others. Under limits of time
// those may whose reference speed is within 10 % of that of the host, or of the first worker if
// the host plays nothing. The lock is held.
func (h *Host) sameSpeed(m *member) error {
	timed := slices.ContainsFunc(h.Plan.Engines, func(e arena.EngineSpec) bool {
		limit := h.Plan.LimitOf(&e)
		return !limit.Exact()
	})
	if !timed || h.Plan.Mixed {
		return nil
	}
	if h.Speed == 0 {
		h.Speed = m.Speed
	}
	if ratio := m.Speed / h.Speed; h.Speed > 0 && (ratio < 1-mostApart || ratio > 1/(1-mostApart)) {
		return fmt.Errorf("its reference speed is %.0f %% of that of this run (%.0f and %.0f): "+
			"under limits of time machines may differ by 10 %%, unless the run says mixed: true", 100*ratio, m.Speed, h.Speed)
	}
	return nil
}

// part ends the work of a member that plays. Its pairs go to others.
func (h *Host) part(m *member, why string) {
	if h.parted(m) {
		h.say("worker %s %s", m.name, why)
	}
}

// parted reports whether a member has played until now.
func (h *Host) parted(m *member) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !m.playing {
		return false
	}
	m.playing, m.left = false, time.Now()
	m.cancel()
	return true
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

// expel takes a worker out of the run, also if it is started again.
func (h *Host) expel(name string, kind arena.IncidentKind, why string) {
	h.mu.Lock()
	m := h.members[name]
	if m == nil {
		m = &member{name: name}
		h.members[name] = m
	}
	if m.banned == kind || m.banned == arena.Excluded {
		h.mu.Unlock()
		return
	}
	m.banned, m.why = kind, "it is expelled from this run: "+why
	h.mu.Unlock()
	h.parted(m)
	h.keep(name, kind, "", why)
	h.say("worker %s is expelled: %s", name, why)
}

// refuse counts pairs of a worker that are not what they say, and expels it if there are too many.
func (h *Host) refuse(m *member, game string, err error) {
	text := ": a pair is refused: " + err.Error()
	h.say("worker %s%s", m.name, text)
	h.keep(m.name, arena.GameRefused, game, text)
	h.mu.Lock()
	m.refused++
	out := m.refused >= mostRefused
	h.mu.Unlock()
	if out {
		h.expel(m.name, arena.Expelled, fmt.Sprintf("it handed in %d false pairs", mostRefused))
	}
}

const mostRefused = 3

// stalled counts the pairs of a worker, and expels it if too many of them stalled.
func (h *Host) stalled(m *member, stalled bool) {
	h.mu.Lock()
	m.handed++
	if stalled {
		m.stalls++
	}
	busy := stalled && m.stalls >= 2 && 20*m.stalls > m.handed
	text := fmt.Sprintf("its machine is too busy: %d of its %d pairs stalled", m.stalls, m.handed)
	h.mu.Unlock()
	if busy {
		h.expel(m.name, arena.Expelled, text)
	}
}
