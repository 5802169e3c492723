package remote

import (
	"context"
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

// accusation is a worker whose games end by faults of an engine too often, and one of them.
type accusation struct {
	part
	engine, text string
}

// Finished implements session.Remote.
func (h *Host) Finished(rec *arena.Game) {
	worker := ""
	if rec.By != nil {
		worker = rec.By.Worker
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, engine := range rec.Pairing {
		d := duel{rec.Pairing, engine}
		if h.ends[d] == nil {
			h.ends[d] = map[string]*ends{}
		}
		own := h.ends[d][worker]
		if own == nil {
			own = &ends{}
			h.ends[d][worker] = own
		}
		own.games++
		if rec.Source != arena.Faulted || rec.Engine(rec.Blamed) != engine {
			continue
		}
		own.faults++
		if worker == "" || own.accused || !h.odd(d, own) {
			continue
		}
		own.accused = true
		text := fmt.Sprintf("%d of %d games of %s - %s end by faults of %s, far more than elsewhere",
			own.faults, own.games, d.pairing[0], d.pairing[1], engine)
		h.accused = append(h.accused, accusation{part{worker, rec.ID}, engine, text})
	}
}

// accuse makes audits of what Finished found, which must not wait.
func (h *Host) accuse(ctx context.Context) {
	h.mu.Lock()
	list := h.accused
	h.mu.Unlock()
	for _, a := range list {
		h.say(remark("worker %s: %s; this machine plays the pair of game %s again", a.worker, a.text, arena.Short(a.game)))
		if err := h.enter(ctx, a.part, a.engine); err != nil {
			h.say(remark("the pair of game %s is not played again: %v", arena.Short(a.game), err))
		}
	}
	if len(list) > 0 {
		h.mu.Lock()
		h.accused = h.accused[len(list):]
		h.mu.Unlock()
		h.desk.Wake()
	}
}

// odd reports whether a worker's games end by faults of an engine far more often than those
// of others who still play the run. The lock is held.
func (h *Host) odd(d duel, own *ends) bool {
	all := ends{}
	for worker, e := range h.ends[d] {
		if m := h.members[worker]; m == nil || m.state != excludedForGood {
			all.games += e.games
			all.faults += e.faults
		}
	}
	others := all.games - own.games
	if others == 0 ||
		float64(own.faults)/float64(own.games) <= float64(all.faults-own.faults)/float64(others)+excessShare {
		return false
	}
	return rating.Excess(own.faults, own.games, all.faults, all.games) < excessChance
}

// acquit decides about a worker that is accused, when this machine has played the pair.
func (h *Host) acquit(a *audit, games []*arena.Game) {
	for _, rec := range games {
		if rec.Source == arena.Faulted && rec.Engine(rec.Blamed) == a.accused {
			h.say(remark("worker %s is acquitted: game %s ends by a fault of %s here as well",
				a.worker, arena.Short(rec.ID), a.accused))
			h.recount(a)
			return
		}
	}
	h.exclude(a.worker, fmt.Sprintf("its games end by faults of %s far more often than those of others", a.accused))
}

// recount forgets the games of a worker that was accused.
func (h *Host) recount(a *audit) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.ends[duel{a.stored[0].Pairing, a.accused}], a.worker)
}
