package remote

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/queue"
)

// What the rules cannot show, legal moves of another program, is audited: a share of the
// pairs that workers played is played again by somebody else, where games repeat. A pair
// is chosen when its games come, by a secret of this start of the host. An audit is a
// lease like any other, so that no worker can tell the two apart, and its games are
// compared instead of stored.
//
// A pair that differs is played a third time, by another worker or by this machine (which
// may also be the second one). Two that are equal are right, and the third one is charged;
// if all differ, nobody is. Of a worker that is charged every further pair is audited; with
// the second charge it is expelled. What is stored does not change: people decide whether to
// set its games aside.

const (
	mostAudits    = 64              // under way at a time
	auditAgain    = 5               // announcements after which the queue is asked whether it still has one
	auditPatience = 2 * time.Minute // for which a run that is over waits for the next result
	mostCharges   = 2               // then a worker is expelled
	mostUndecided = 3               // audits that say that games do not repeat; then there are no more
)

// audits are the pairs of a run that are due.
type audits struct {
	secret [32]byte

	mu        sync.Mutex
	list      []*audit          // in the order in which they became due
	games     map[string]*audit // by identity
	charged   map[string]int    // workers
	undecided int               // pairs that differ each time
	off       bool              // the engines' games do not repeat
	last      time.Time         // when something was decided, or became due
}

// audit is a pair of a worker that is played again elsewhere.
type audit struct {
	id      string // of its first game
	worker  string
	stored  map[string]*arena.Record // by identity
	lease   queue.Lease
	offered time.Time // zero: it waits
	plays   []play    // that differ from the stored one; at most one
	partial map[string]map[string]*arena.Record
}

// play is how a player played an audited pair: a worker, or this machine, which is "".
type play struct {
	player string
	games  map[string]*arena.Record
}

// loadAudits finds what was due when the run was played before.
func (h *Host) loadAudits(ctx context.Context) error {
	h.audits = &audits{games: map[string]*audit{}, charged: map[string]int{}, last: time.Now()}
	_, _ = rand.Read(h.audits.secret[:]) // it never fails
	if h.Book == nil {
		return nil
	}
	incidents, err := h.Book.Incidents(ctx, h.run)
	if err != nil {
		return err
	}
	settled := map[[2]string]bool{}
	for _, i := range incidents {
		switch i.Kind {
		case arena.AuditDiffers, arena.AuditFalse:
			h.audits.charged[i.Worker] = 1
		}
		switch i.Kind {
		case arena.AuditDiffers, arena.AuditEqual, arena.AuditUndecided:
			settled[[2]string{i.Worker, i.Game}] = true
		}
	}
	for _, i := range incidents {
		if key := [2]string{i.Worker, i.Game}; i.Kind == arena.AuditDue && !settled[key] {
			settled[key] = true
			if err := h.enter(ctx, i.Worker, i.Game); err != nil {
				return err
			}
		}
	}
	return nil
}

// chosen reports whether the pair of these games is to be audited.
func (h *Host) chosen(worker string, recs []*arena.Record) bool {
	if h.Plan.Audit <= 0 || h.Stored == nil || !h.repeats(recs[0].Pairing) || recs[len(recs)-1].Source == arena.Stalled {
		return false
	}
	a := h.audits
	a.mu.Lock()
	defer a.mu.Unlock()
	sum := sha256.Sum256(append(slices.Clone(a.secret[:]), recs[0].ID...))
	share := float64(binary.LittleEndian.Uint64(sum[:])) / (1 << 64)
	return !a.off && (share < h.Plan.Audit || a.charged[worker] > 0)
}

// repeats reports whether games of a pairing are the same whenever they are played.
func (h *Host) repeats(pairing [2]string) bool {
	for _, name := range pairing {
		if spec := h.Plan.Engine(name); spec == nil || !h.Plan.LimitOf(spec).Exact() {
			return false
		}
	}
	return true
}

// enter makes the audit of a stored pair, named by one of its games, and offers it if it
// can be played now.
func (h *Host) enter(ctx context.Context, worker, id string) error {
	rec, err := h.Stored(ctx, h.run, id)
	if err != nil || rec == nil || rec.By == nil || rec.By.Worker != worker {
		return err // it was set aside, or somebody else was first
	}
	a := &audit{id: id, worker: worker, stored: map[string]*arena.Record{}, partial: map[string]map[string]*arena.Record{}}
	if a.lease.Place = rec.Index; h.Plan.Format.Pairs {
		a.lease.Place /= 2
	}
	identity := h.Plan.Identity(rec.Pairing)
	for leg := range 2 {
		rec, err := h.Stored(ctx, h.run, identity.Job(rec.Pair, leg))
		if err != nil {
			return err
		}
		if rec != nil && rec.By != nil && rec.By.Worker == worker && rec.Source != arena.Unrated {
			a.stored[rec.ID] = rec
			a.lease.Jobs = append(a.lease.Jobs, rec.Job)
			a.lease.Pair = append(a.lease.Pair, rec.ID)
		}
	}
	if len(a.lease.Jobs) == 0 {
		return nil
	}
	all := h.audits
	all.mu.Lock()
	defer all.mu.Unlock()
	all.list = append(all.list, a)
	all.last = time.Now()
	for id := range a.stored {
		all.games[id] = a
	}
	return nil
}

// takes reports whether somebody may play the audit (again).
func (a *audit) takes(player string) bool {
	return player != a.worker && (player == "" || !slices.ContainsFunc(a.plays, func(p play) bool { return p.player == player }))
}

// none reports whether nothing is due.
func (a *audits) none() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.list) == 0
}

// possible reports whether there is somebody who may play the audit.
func (h *Host) possible(a *audit, members []Member) bool {
	return h.Own > 0 || slices.ContainsFunc(members, func(m Member) bool { return a.takes(m.Name) })
}

// offerAudits offers what is due, and once more what the queue has lost.
func (h *Host) offerAudits(ctx context.Context) {
	if h.audits.none() {
		return
	}
	all, members := h.audits, h.Members()
	var ask bool
	var now []queue.Lease
	all.mu.Lock()
	for i, a := range all.list {
		switch {
		case i >= mostAudits || !h.possible(a, members):
		case a.offered.IsZero():
			a.offered = time.Now()
			a.lease.Attempt++
			now = append(now, a.lease)
		default:
			ask = ask || time.Since(a.offered) > auditAgain*h.tick
		}
	}
	all.mu.Unlock()
	for _, lease := range now {
		if err := h.queue.Offer(ctx, lease); err != nil {
			return // the tick tries again
		}
	}
	if !ask {
		return
	}
	held, err := h.queue.Held(ctx)
	if err != nil {
		return
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, a := range all.list {
		if !held[a.lease.Place] && time.Since(a.offered) > auditAgain*h.tick {
			a.offered = time.Time{}
		}
	}
}

// skip reports whether a lease is an audit that a worker may not play. It is offered again.
func (h *Host) skip(m *Member, l queue.Lease) bool {
	h.audits.mu.Lock()
	defer h.audits.mu.Unlock()
	a := h.audits.games[l.Jobs[0].ID]
	if a == nil || a.takes(m.Name) {
		return false
	}
	a.offered = time.Time{}
	return true
}

// Audit implements runner.Remote.
func (h *Host) Audit(id string) bool {
	h.audits.mu.Lock()
	defer h.audits.mu.Unlock()
	return h.audits.games[id] != nil
}

// Audited implements runner.Remote.
func (h *Host) Audited(rec *arena.Record) { h.audited("", rec) }

// audited takes a game that may be one of an audit. It reports whether it is.
func (h *Host) audited(player string, rec *arena.Record) bool {
	all := h.audits
	all.mu.Lock()
	a := all.games[rec.ID]
	if a == nil || player == a.worker {
		if a != nil {
			a.offered = time.Time{} // for somebody else
		}
		all.mu.Unlock()
		return false
	}
	if !a.takes(player) || rec.Source == arena.Stalled {
		a.offered = time.Time{}
		all.mu.Unlock()
		return true
	}
	if a.partial[player] == nil {
		a.partial[player] = map[string]*arena.Record{}
	}
	a.partial[player][rec.ID] = rec
	complete := len(a.partial[player]) == len(a.stored)
	var after func()
	if complete {
		p := play{player, a.partial[player]}
		delete(a.partial, player)
		after = h.compare(a, p)
	}
	all.mu.Unlock()
	if after != nil {
		after()
		if h.desk != nil {
			h.desk.Wake()
		}
	}
	return true
}

// compare decides an audit, or has it played once more. The lock is held; the caller calls
// what is returned without it.
func (h *Host) compare(a *audit, p play) (after func()) {
	id, text := differs(a.stored, p.games)
	switch {
	case id == "" && len(a.plays) == 0:
		return h.settle(a, func() { h.keep(a.worker, arena.AuditEqual, a.id, ": by "+playerName(p.player)) })
	case len(a.plays) == 0:
		a.plays, a.offered = append(a.plays, p), time.Time{}
		h.audits.last = time.Now()
		return func() {
			h.say(remark("worker %s: game %s is another one when %s plays it: %s; a third playing decides", a.worker, arena.Short(id), playerName(p.player), text))
		}
	}
	other := a.plays[0]
	where, says := differs(a.stored, other.games)
	switch second, _ := differs(other.games, p.games); {
	case second == "":
		return h.settle(a, func() {
			h.report(a.worker, arena.AuditDiffers, a.id, fmt.Sprintf(": game %s is another one when %s: %s; thera rm --worker %s sets its games aside",
				arena.Short(where), twoPlay(other.player, p.player), says, a.worker))
			h.charge(a.worker)
		})
	case id == "" && other.player != "":
		return h.settle(a, func() {
			h.keep(a.worker, arena.AuditEqual, a.id, ": by "+playerName(p.player))
			h.report(other.player, arena.AuditFalse, a.id, fmt.Sprintf(": it played game %s of worker %s again as another one, and %s as the same: %s",
				arena.Short(where), a.worker, playerName(p.player), says))
			h.charge(other.player)
		})
	}
	h.audits.undecided++
	off := h.audits.undecided >= mostUndecided && !h.audits.off
	h.audits.off = h.audits.off || off
	return h.settle(a, func() {
		h.report(a.worker, arena.AuditUndecided, a.id, fmt.Sprintf(": game %s is another one each time that it is played: %s", arena.Short(where), says))
		if off {
			h.say(remark("there are no more audits: the games of these engines do not repeat, also under limits of nodes or depth"))
		}
	})
}

// settle forgets an audit. The lock is held.
func (h *Host) settle(a *audit, after func()) func() {
	all := h.audits
	all.list = slices.DeleteFunc(all.list, func(b *audit) bool { return a == b })
	for id := range a.stored {
		delete(all.games, id)
	}
	all.last = time.Now()
	return after
}

// charge notes that a worker's games are others than they should be.
func (h *Host) charge(name string) {
	h.audits.mu.Lock()
	h.audits.charged[name]++
	n := h.audits.charged[name]
	h.audits.mu.Unlock()
	h.mu.Lock()
	m := h.members[name]
	h.mu.Unlock()
	if m != nil && n >= mostCharges {
		h.expel(m, fmt.Sprintf("%d audited pairs are others than they should be", n))
	}
}

// Busy implements runner.Remote. It gives up the audits for which nobody is there.
func (h *Host) Busy() bool {
	if h.audits.none() {
		return false
	}
	all, members := h.audits, h.Members()
	var open []*audit
	all.mu.Lock()
	busy := time.Since(all.last) < auditPatience && slices.ContainsFunc(all.list, func(a *audit) bool { return h.possible(a, members) })
	if !busy {
		for _, a := range slices.Clone(all.list) {
			if len(a.plays) > 0 {
				h.settle(a, nil)
				open = append(open, a)
			}
		}
	}
	all.mu.Unlock()
	for _, a := range open {
		id, text := differs(a.stored, a.plays[0].games)
		h.keep(a.worker, arena.AuditUndecided, a.id, fmt.Sprintf(": game %s is another one when %s plays it, and nobody else is there: %s",
			arena.Short(id), playerName(a.plays[0].player), text))
	}
	return busy
}

// Finish implements runner.Remote.
func (h *Host) Finish() {
	h.audits.mu.Lock()
	defer h.audits.mu.Unlock()
	for _, a := range h.audits.list {
		a.offered = time.Time{}
	}
}
