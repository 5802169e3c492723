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

// Member is a worker that has joined.
type Member struct {
	Name    string
	Slots   int
	Speed   float64 // its reference speed
	Sandbox string  // what it holds

	start   string // of the worker
	pairs   []string
	ctx     context.Context // ends when it is gone
	cancel  context.CancelFunc
	since   time.Time
	seen    time.Time
	absent  bool     // nobody hears what it is asked
	left    bool     // it is not there now
	unable  bool     // it cannot play the run
	done    []string // pairs that it need not keep, as far as it does not know
	refused int      // games
	handed  int      // pairs
	stalls  int      // of them
	out     string   // why it is expelled
}

// Slots implements runner.Remote. It is asked for each game.
func (h *Host) Slots() (workers, slots int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.workers, h.slots
}

// there reports whether a member is there and not expelled.
func (m *Member) there() bool { return !m.left && m.out == "" }

// count counts a member that begins to play, or that ends.
func (h *Host) count(m *Member, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.workers += n
	h.slots += n * m.Slots
}

// Members are the workers that play, the longest there first.
func (h *Host) Members() []Member {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []Member
	for _, m := range h.members {
		if m.there() {
			out = append(out, *m)
		}
	}
	slices.SortFunc(out, func(x, y Member) int { return x.since.Compare(y.since) })
	return out
}

// lookForSilence parts from workers that are not heard any more.
func (h *Host) lookForSilence() {
	h.mu.Lock()
	var silent []*Member
	for _, m := range h.members {
		if m.there() && time.Since(m.seen) > h.Wait {
			silent = append(silent, m)
		}
	}
	h.mu.Unlock()
	for _, m := range silent {
		h.part(m, "is silent: its pairs go to others")
	}
}

// nameIn is the last word of a subject: the name of a worker that says something.
func nameIn(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// hello takes what a worker says about itself.
func (h *Host) hello(msg *nats.Msg) {
	var w hello
	name := nameIn(msg.Subject)
	switch err := json.Unmarshal(msg.Data, &w); {
	case err != nil || CheckName(w.Start) != nil || CheckName(name) != nil:
		return
	case w.Version != version:
		h.reject(name, w.Start, fmt.Sprintf("the run is played by another version of thera (its messages have version %d, those of the worker %d)", version, w.Version))
		return
	}
	h.mu.Lock()
	was := h.members[name]
	same := was != nil && !was.left && was.start == w.Start
	expelled := same && was.out != ""
	if same {
		was.seen = time.Now()
	}
	h.mu.Unlock()
	switch {
	case same && w.Gone:
		h.part(was, "has left")
	case same && !expelled || w.Gone:
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
func (h *Host) admit(name string, w *hello, was *Member) (admitted error) {
	switch {
	case w.Slots < 1 || w.Slots > 4096:
		return fmt.Errorf("%d slots, expected 1 to 4096", w.Slots)
	case !(w.Speed >= 0 && w.Speed <= mostSpeed):
		return fmt.Errorf("reference speed %g, expected at most %g", w.Speed, float64(mostSpeed))
	}
	m := &Member{
		Name: name, Slots: w.Slots, Speed: w.Speed, Sandbox: plain(w.Sandbox, mostRemark, false),
		start: w.Start, pairs: w.Pairs[:min(len(w.Pairs), mostClaims*w.Slots)], since: time.Now(), seen: time.Now(),
	}
	h.mu.Lock()
	excluded, full := h.excluded[name], len(h.members) >= mostMembers
	earlier := Member{left: true}
	if was != nil {
		earlier = *was
	}
	h.mu.Unlock()
	switch {
	case excluded != "":
		return fmt.Errorf("worker %s is expelled from this run: %s", name, excluded)
	case earlier.out != "":
		return fmt.Errorf("worker %s is expelled: %s", name, earlier.out)
	case !earlier.left && !earlier.absent:
		return fmt.Errorf("%w: %s", errInUse, name)
	case !earlier.left && time.Since(earlier.since) < h.calm:
		return nil // nobody starts again so often
	case !earlier.left:
		h.part(was, "has gone: its pairs go to others")
	case time.Since(earlier.seen) < h.calm || earlier.unable && earlier.start == w.Start:
		return nil // it says hello again, or has said why
	case was == nil && full:
		return fmt.Errorf("the run has had %d workers, and takes no more", mostMembers)
	}
	if err := h.sameSpeed(m); err != nil {
		h.say(remark("worker %s is refused: %v", name, err))
		m.left, m.unable, admitted = true, true, err
	}
	m.ctx, m.cancel = context.WithCancel(h.ctx)
	h.mu.Lock()
	if was != nil { // it does not get rid of what it did
		m.refused, m.handed, m.stalls = was.refused, was.handed, was.stalls
	}
	h.members[name] = m
	h.mu.Unlock()
	if admitted != nil {
		m.cancel()
		return admitted
	}
	h.work.Go(func() { h.employ(m) })
	return nil
}

// hears notes that a worker is there.
func (h *Host) hears(m *Member) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m.seen, m.absent = time.Now(), false
}

// part ends the work of a member, with a remark. Its pairs go to others.
func (h *Host) part(m *Member, how string) {
	h.mu.Lock()
	there := m.there()
	if there {
		m.left, m.seen, m.done = true, time.Now(), nil
	}
	h.mu.Unlock()
	if there {
		m.cancel()
		h.say(remark("worker %s %s", m.Name, how))
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

// refuse counts a worker's false games, and expels it if there are too many.
func (h *Host) refuse(m *Member, untrue *falseGame) {
	h.report(m.Name, arena.GameRefused, untrue.ID, ": "+untrue.Error())
	h.mu.Lock()
	m.refused++
	most := m.refused >= mostRefused
	h.mu.Unlock()
	if most {
		h.expel(m, fmt.Sprintf("it handed in %d false games", mostRefused))
	}
}

// stalls counts the pairs of a worker, and expels it if too many of them stalled.
func (h *Host) stalls(m *Member, stalled bool) (busy bool) {
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

// expel takes a worker out of the run.
func (h *Host) expel(m *Member, why string) {
	if h.end(m, why) {
		h.report(m.Name, arena.Expelled, "", " is expelled: "+why)
		h.reject(m.Name, m.start, "it is expelled: "+why)
	}
}

// end ends the work of a member for good, and reports whether it had not ended.
func (h *Host) end(m *Member, why string) (first bool) {
	h.mu.Lock()
	if first = m.out == ""; first {
		m.out = why
	}
	h.mu.Unlock()
	m.cancel()
	return first
}
