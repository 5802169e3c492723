package remote

import (
	"fmt"
	"slices"
	"time"

	"thera/arena"
)

// Member is a worker that has joined.
type Member struct {
	Name    string
	Slots   int
	Speed   float64 // its reference speed
	Sandbox string  // what it holds

	session string
	since   time.Time
	seen    time.Time
	refused int    // games
	pairs   int    // that it handed in
	stalls  int    // of them
	out     string // why it is expelled
}

// Slots implements runner.Remote. It is asked for each game.
func (h *Host) Slots() (workers, slots int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.workers, h.slots
}

// count counts workers and slots again, after a change. The lock is held.
func (h *Host) count() {
	h.workers, h.slots = 0, 0
	for _, m := range h.members {
		if m.plays() {
			h.workers++
			h.slots += m.Slots
		}
	}
}

// plays reports whether a worker is heard and not expelled.
func (m *Member) plays() bool { return m.out == "" && time.Since(m.seen) < silence }

// Members are the workers that play, the longest there first.
func (h *Host) Members() []Member {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []Member
	for _, m := range h.members {
		if m.plays() {
			out = append(out, *m)
		}
	}
	slices.SortFunc(out, func(x, y Member) int { return x.since.Compare(y.since) })
	return out
}

// refuse counts a worker's false games, and reports whether it is expelled.
func (h *Host) refuse(m *Member, untrue *falseGame) bool {
	h.report(m.Name, arena.GameRefused, untrue.ID, ": "+untrue.Error())
	h.mu.Lock()
	m.refused++
	most := m.refused >= mostRefused
	h.mu.Unlock()
	if most {
		h.expel(m, fmt.Sprintf("it handed in %d false games", mostRefused))
	}
	return most
}

// expel takes a worker out of the run.
func (h *Host) expel(m *Member, why string) {
	h.mu.Lock()
	first := m.out == ""
	if first {
		m.out = why
		h.count()
	}
	h.mu.Unlock()
	h.dealer.gone(m)
	if first {
		h.report(m.Name, arena.Expelled, "", " is expelled: "+why)
	}
}

// stalls counts the pairs of a worker, and reports whether too many of them stalled.
func (h *Host) stalls(m *Member, stalled bool) bool {
	h.mu.Lock()
	m.pairs++
	if stalled {
		m.stalls++
	}
	busy := stalled && m.stalls >= 2 && 20*m.stalls > m.pairs
	text := fmt.Sprintf("its machine is too busy: %d of its %d pairs stalled", m.stalls, m.pairs)
	h.mu.Unlock()
	if busy {
		h.expel(m, text)
	}
	return busy
}

// forget removes a member, and remembers what counts against it. The lock is held.
func (h *Host) forget(m *Member) {
	delete(h.members, m.Name)
	if len(h.left) < mostMembers {
		h.left[m.Name] = m
	}
}

// Dismiss takes a worker out of the run that can no longer be heard. Its leases go to
// others at once.
func (h *Host) Dismiss(name, why string) {
	h.mu.Lock()
	m := h.members[name]
	plays := m != nil && m.out == ""
	if plays {
		h.forget(m)
		h.count()
	}
	h.mu.Unlock()
	if plays {
		h.dealer.gone(m)
		h.say(remark("worker %s is dismissed: %s", name, why))
	}
}
