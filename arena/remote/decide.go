package remote

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"thera/arena"
)

// Two playings of a pair that differ are decided by this machine, which nobody who sends games
// can be part of. It plays the pair until two playings are equal of which one is its own. Who
// has another one is charged, and its games of the pair are set aside and played again. If
// this machine itself plays the pair in two ways, nobody is charged.
//
// Of a worker that is charged every further pair is audited. One that is charged for more
// than a few of its pairs is expelled, and all of its games are set aside: one or two
// differences in many pairs can be those of an engine that crashes now and then.

const (
	mostCharges   = 2  // then a worker is expelled,
	chargeShare   = 20 // if more than one in so many of its pairs is charged
	mostUndecided = 3  // audits that say that games do not repeat; then there are no more
)

// compare decides an audit, or asks this machine. The lock is held; the caller calls what is
// returned without it.
func (h *Host) compare(a *audit, p play) (after func()) {
	if a.accused != "" {
		h.settle(a)
		return func() { h.acquit(a, p.games) }
	}
	id, text := differs(a.stored, p.games)
	if len(a.plays) == 0 && id == "" {
		h.audits.count(a.worker, p.player)
		h.settle(a)
		return func() { h.keep(a.worker, arena.AuditEqual, a.id, ": by "+playerName(p.player)) }
	}
	a.plays = append(a.plays, p)
	if len(a.plays) == 1 {
		h.audits.call()
		return func() {
			h.say(remark("worker %s: game %s is another one when %s plays it: %s; this machine decides",
				a.worker, arena.Short(id), playerName(p.player), text))
		}
	}
	other := a.plays[0]
	own := slices.DeleteFunc(slices.Clone(a.plays), func(p play) bool { return p.player != "" })
	if len(own) > 1 {
		if where, _ := differs(own[0].games, p.games); where != "" {
			where, says := differs(a.stored, other.games)
			return h.open(a, fmt.Sprintf(": game %s is another one each time that it is played: %s",
				arena.Short(where), says))
		}
	}
	wrong, how := differs(p.games, other.games)
	if len(own) == 1 && id != "" && wrong != "" {
		h.audits.call()
		return func() {}
	}
	h.audits.count(a.worker, other.player)
	h.settle(a)
	return func() {
		if id == "" {
			h.keep(a.worker, arena.AuditEqual, a.id, ": by this machine")
		} else {
			h.charge(a.worker, arena.AuditDiffers, a, a.pair.All, fmt.Sprintf(": game %s is another one when %s: %s",
				arena.Short(id), twoPlay(other.player, wrong == ""), text))
		}
		if wrong != "" && other.player != "" {
			h.charge(other.player, arena.AuditFalse, a, nil,
				fmt.Sprintf(": it played game %s of worker %s again as another one, and this machine did not: %s",
					arena.Short(wrong), a.worker, how))
		}
	}
}

// count counts a pair of which somebody knows how it should be. The lock is held.
func (a *audits) count(players ...string) {
	for _, player := range players {
		if player != "" {
			a.compared[player]++
		}
	}
}

// open ends an audit of a pair that does not repeat here. After some of them there are no
// more audits. The lock is held.
func (h *Host) open(a *audit, text string) (after func()) {
	all, list := h.audits, []*audit{a}
	all.undecided++
	off := all.undecided >= mostUndecided && !all.off
	if all.off = all.off || off; off {
		list = slices.Clone(all.list)
	}
	for _, b := range list {
		h.settle(b)
	}
	return func() {
		h.report(a.worker, arena.AuditUndecided, a.id, text)
		for _, b := range list {
			if b != a {
				h.keep(b.worker, arena.AuditUndecided, b.id, ": the games of these engines do not repeat")
			}
		}
		if off {
			h.say(remark("there are no more audits: the games of these engines do not repeat, also under limits of nodes or depth"))
		}
	}
}

// charge notes that a worker played a pair as another one than it should be. Its games of the
// pair are set aside, or all. That is noted afterwards: if the host is killed before, the
// audit is still due.
func (h *Host) charge(name string, kind arena.IncidentKind, a *audit, games []string, text string) {
	h.say(remark("worker %s%s", name, text))
	h.audits.mu.Lock()
	h.audits.charged[name]++
	n, of := h.audits.charged[name], h.audits.compared[name]
	h.audits.mu.Unlock()
	switch {
	case n >= mostCharges && chargeShare*n > of:
		h.exclude(name, fmt.Sprintf("%d of %d audited pairs are others than they should be", n, of))
	case games != nil:
		h.setAside(name, games, "other games when they are played elsewhere")
	}
	h.keep(name, kind, a.id, text)
	if n == 1 {
		if err := h.lookBack(name, a); err != nil {
			h.say(remark("earlier pairs of worker %s are not audited: %v", name, err))
		}
	}
}

// mostBack bounds the earlier pairs of a worker that are audited when it is charged. If many
// of more are false, so are many of these.
const mostBack = 500

// lookBack audits earlier pairs of a worker that was charged for another one.
func (h *Host) lookBack(name string, charged *audit) error {
	ctx := context.Background()
	incidents, err := h.Book.Incidents(ctx, h.run)
	if err != nil {
		return err
	}
	games, err := h.Book.Finished(ctx, h.run)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, id := range charged.pair.All {
		known[id] = true
	}
	for _, i := range incidents {
		known[i.Game] = known[i.Game] || i.Worker == name && i.Kind == arena.AuditDue
	}
	there := map[string]bool{}
	for i := range games {
		if g := &games[i]; g.By != nil && g.Status.Counts() {
			there[g.ID] = true
		}
	}
	n := 0
	for i := range games {
		game := &games[i]
		if game.By == nil || game.By.Worker != name || !game.Status.Counts() || known[game.ID] {
			continue
		}
		rec, err := h.Book.Stored(ctx, h.run, game.ID)
		if err != nil {
			return err
		}
		if rec == nil || !h.repeats(rec.Pairing) {
			continue
		}
		other := h.Plan.Identity(rec.Pairing).Job(rec.Pair, 1-rec.Leg)
		if known[other] || !there[other] && h.Plan.Format.Pairs {
			continue // it is being stored, and audited when it is
		}
		if n++; n > mostBack {
			break
		}
		known[rec.ID] = true
		h.keep(name, arena.AuditDue, rec.ID, "")
		if err := h.enter(ctx, name, rec.ID, ""); err != nil {
			return err
		}
	}
	h.audits.call()
	return nil
}

// Excluded implements runner.Remote.
func (h *Host) Excluded() map[string]string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.excluded)
}

// exclude expels a worker for this run and all its starts, and sets its games aside.
func (h *Host) exclude(name, why string) {
	h.mu.Lock()
	first := h.excluded[name] == ""
	h.excluded[name] = why
	m := h.members[name]
	h.mu.Unlock()
	if m != nil {
		h.end(m, why)
	}
	if first {
		h.keep(name, arena.Excluded, "", why)
		h.say(remark("worker %s is expelled, and its games are excluded: %s", name, why))
	}
	h.setAside(name, nil, why)
}

// setAside sets games of a worker aside, all if none are named.
func (h *Host) setAside(name string, games []string, why string) {
	if err := h.desk.SetAside(name, games, why); err != nil {
		h.say(remark("the games of worker %s are not set aside: %v", name, err))
	}
}
