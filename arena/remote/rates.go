package remote

import (
	"fmt"

	"thera/arena"
	"thera/arena/rating"
)

// Where games do not repeat, and in pairs that are not audited, faults are compared by how
// often they come: a worker whose games end by faults of an engine far more often than those
// of all others in the same pairing, and not by chance, is accused. This machine then plays
// the last of these pairs again. If the engine is at fault there as well, the worker is
// acquitted, and else it is expelled.
const (
	excessChance = 1e-6 // of so many faults, if all workers' games are alike
	excessShare  = 0.05 // of its games that end by faults, beyond that of others
)

// duel is an engine in a pairing.
type duel struct {
	pairing [2]string
	engine  string
}

// ends are how often games ended, and by faults of the engine.
type ends struct {
	games, faults int
	accused       bool
}

// Finished implements session.Remote.
func (h *Host) Finished(rec *arena.Game) {
	worker := ""
	if rec.By != nil {
		worker = rec.By.Worker
	}
	for _, engine := range rec.Pairing {
		d := duel{rec.Pairing, engine}
		if fault := rec.Source == arena.Faulted && rec.Engine(rec.Blamed) == engine; h.odd(d, worker, fault) {
			h.begin(func() { h.accuse(part{worker, rec.ID}, d) })
		}
	}
}

// odd counts a game of a worker, and reports whether its games end by faults of an engine far more often
// than those of others who still play the run.
func (h *Host) odd(d duel, worker string, fault bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ends[d] == nil {
		h.ends[d] = map[string]*ends{}
	}
	own := h.ends[d][worker]
	if own == nil {
		own = &ends{}
		h.ends[d][worker] = own
	}
	own.games++
	if !fault {
		return false
	}
	own.faults++
	if worker == "" || own.accused {
		return false
	}
	all := *own
	for name, e := range h.ends[d] {
		if m := h.members[name]; name != worker && (m == nil || m.banned != arena.Excluded) {
			all.games += e.games
			all.faults += e.faults
		}
	}
	others := float64(all.games - own.games)
	share := float64(own.faults) / float64(own.games)
	own.accused = others > 0 && share > float64(all.faults-own.faults)/others+excessShare &&
		rating.Excess(own.faults, own.games, all.faults, all.games) < excessChance
	return own.accused
}

// accuse has this machine play a pair of a worker again, and decides about it.
func (h *Host) accuse(of part, d duel) {
	h.say("worker %s: games of %s - %s end by faults of %s far more often than elsewhere; this machine plays the pair of game %s again",
		of.worker, d.pairing[0], d.pairing[1], d.engine, arena.Short(of.game))
	stored, ok := h.stored(of)
	if !ok {
		return // it was set aside
	}
	here, ok := h.again(of, stored, true)
	if ok {
		for _, rec := range here.games {
			ok = ok && (rec.Source != arena.Faulted || rec.Engine(rec.Blamed) != d.engine)
		}
		if ok {
			h.exclude(of.worker, fmt.Sprintf("its games end by faults of %s far more often than those of others", d.engine))
			return
		}
		h.say("worker %s is acquitted: the pair of game %s ends by a fault of %s here as well", of.worker, arena.Short(of.game), d.engine)
	}
	h.mu.Lock()
	delete(h.ends[d], of.worker) // it is counted anew
	h.mu.Unlock()
}
