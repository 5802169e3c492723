package remote

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/runner"
)

// What the rules cannot show, legal moves of another program, and ends that a worker made
// up, is audited: a share of the pairs that workers played is played again by somebody else,
// where games repeat. A pair is chosen when its games come, by a secret of this start of the
// host. An audit is a pair like any other, so that no worker can tell the two apart, and its
// games are compared instead of stored. What nobody else may play, this machine plays.
//
// Two playings that differ are decided by this machine, see decide.go.

const (
	mostAudits    = 64              // under way at a time
	auditPatience = 2 * time.Minute // after which this machine plays what a worker keeps
)

// audits are the pairs of a run that are due.
type audits struct {
	wake chan struct{} // this machine has something to play

	mu        sync.Mutex
	list      []*audit       // in the order in which they became due
	compared  map[string]int // pairs, by each worker that played them
	charged   map[string]int // of them, those that are others than they should be
	undecided int            // pairs that this machine plays differently each time
	off       bool           // the engines' games do not repeat
	accused   []accusation   // see rates.go
	deciding  int            // verdicts that are being carried out
}

// audit is a pair of a worker that is played again elsewhere.
type audit struct {
	id      string // of its first game
	worker  string
	stored  []*arena.Game // in the order of the pair's jobs
	pair    runner.Pair
	offered time.Time // zero: it waits
	plays   []play    // of others, the first of which differs from the stored one
	accused string    // an engine, if the pair is played again for its faults alone, see rates.go
}

// play is how a player played an audited pair: a worker, or this machine, which is "".
type play struct {
	player string
	games  []*arena.Game
}

// of is the audit of a game, nil if none is due. The lock is held.
func (a *audits) of(id string) *audit {
	i := slices.IndexFunc(a.list, func(b *audit) bool { return slices.Contains(b.pair.All, id) })
	if i < 0 {
		return nil
	}
	return a.list[i]
}

// loadAudits finds what was due when the run was played before.
func (h *Host) loadAudits(ctx context.Context) error {
	h.audits = &audits{wake: make(chan struct{}, 1), compared: map[string]int{}, charged: map[string]int{}}
	h.excluded, h.ends = map[string]string{}, map[duel]map[string]*ends{}
	if h.secret == nil {
		h.secret = make([]byte, 32)
		_, _ = rand.Read(h.secret) // it never fails
	}
	incidents, err := h.Book.Incidents(ctx, h.run)
	if err != nil {
		return err
	}
	settled := map[[2]string]bool{}
	for _, i := range incidents {
		switch i.Kind {
		case arena.AuditDiffers, arena.AuditFalse:
			h.audits.charged[i.Worker]++
			h.audits.compared[i.Worker]++
		case arena.AuditEqual:
			h.audits.compared[i.Worker]++
		case arena.Excluded:
			h.excluded[i.Worker] = i.Text
		}
		switch i.Kind {
		case arena.AuditDiffers, arena.AuditEqual, arena.AuditUndecided:
			settled[[2]string{i.Worker, i.Game}] = true
		}
	}
	for _, i := range incidents {
		if key := [2]string{i.Worker, i.Game}; i.Kind == arena.AuditDue && !settled[key] {
			settled[key] = true
			if err := h.enter(ctx, i.Worker, i.Game, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// chosen reports whether the pair of these games is to be audited.
func (h *Host) chosen(worker string, recs []*arena.Game) bool {
	if h.Plan.Audit <= 0 || !h.repeats(recs[0].Pairing) || recs[len(recs)-1].Source == arena.Stalled {
		return false
	}
	a := h.audits
	a.mu.Lock()
	defer a.mu.Unlock()
	sum := sha256.Sum256(append(slices.Clone(h.secret), recs[0].ID...))
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

// enter makes the audit of a stored pair, named by one of its games. With an engine that is
// accused, this machine plays it.
func (h *Host) enter(ctx context.Context, worker, id, accused string) error {
	rec, err := h.Book.Stored(ctx, h.run, id)
	if err != nil || rec == nil || rec.By == nil || rec.By.Worker != worker {
		return err // it was set aside, or somebody else was first
	}
	a := &audit{id: id, worker: worker, accused: accused}
	identity := h.Plan.Identity(rec.Pairing)
	for leg := range 2 {
		rec, err := h.Book.Stored(ctx, h.run, identity.Job(rec.Pair, leg))
		if err != nil {
			return err
		}
		if rec != nil && rec.By != nil && rec.By.Worker == worker && rec.Source != arena.Unrated {
			a.stored = append(a.stored, rec)
			a.pair.Jobs = append(a.pair.Jobs, rec.Job)
			a.pair.All = append(a.pair.All, rec.ID)
		}
	}
	if len(a.pair.Jobs) == 0 {
		return nil
	}
	all := h.audits
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.of(id) == nil {
		all.list = append(all.list, a)
	}
	return nil
}

// takes reports whether somebody may play the audit.
func (a *audit) takes(player string) bool {
	return player == "" || player != a.worker && len(a.plays) == 0 && a.accused == ""
}

// possible reports whether there is a slot that takes pairs and may play the audit.
func (h *Host) possible(a *audit, members []Member) bool {
	if len(a.plays) > 0 || a.accused != "" {
		return false
	}
	return h.Own > 0 || slices.ContainsFunc(members, func(m Member) bool { return a.takes(m.Name) })
}

// Dispute implements runner.Remote.
func (h *Host) Dispute(ctx context.Context) []arena.Job {
	for {
		h.accuse(ctx)
		if jobs := h.own(); jobs != nil {
			return jobs
		}
		select {
		case <-h.audits.wake:
		case <-time.After(h.tick):
		case <-ctx.Done():
			return nil
		}
	}
}

// own are the games of an audit that this machine has to play: nobody else may, or a worker
// keeps it.
func (h *Host) own() []arena.Job {
	all, members := h.audits, h.Members()
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, a := range all.list {
		if !h.possible(a, members) || !a.offered.IsZero() && time.Since(a.offered) > auditPatience {
			return a.pair.Jobs
		}
	}
	return nil
}

// call lets this machine look what it has to play.
func (a *audits) call() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// offerAudits offers what is due.
func (h *Host) offerAudits() {
	all, members := h.audits, h.Members()
	var now []*runner.Pair
	all.mu.Lock()
	for i, a := range all.list {
		if i < mostAudits && a.offered.IsZero() && h.possible(a, members) {
			a.offered = time.Now()
			p := a.pair
			p.Audit = func(who string) bool {
				all.mu.Lock()
				defer all.mu.Unlock()
				return a.takes(who)
			}
			now = append(now, &p)
		}
	}
	all.mu.Unlock()
	for _, p := range now {
		h.desk.Offer(p)
	}
}

// Audited implements runner.Remote.
func (h *Host) Audited(recs []*arena.Game) { h.audited("", recs) }

// audited takes the games of an audit, if that is still due.
func (h *Host) audited(player string, recs []*arena.Game) {
	all := h.audits
	all.mu.Lock()
	a := all.of(recs[0].ID)
	if a == nil || player == a.worker {
		all.mu.Unlock()
		return
	}
	stalled := recs[len(recs)-1].Source == arena.Stalled
	whole := slices.EqualFunc(recs, a.stored, func(x, y *arena.Game) bool { return x.ID == y.ID })
	var after func()
	switch {
	case stalled && player == "": // it stays due, for another start
		h.settle(a)
		h.recount(a)
	case stalled || !whole || !a.takes(player):
		a.offered = time.Time{}
	default:
		after = h.compare(a, play{player, recs})
	}
	if after == nil {
		all.mu.Unlock()
		return
	}
	all.deciding++
	all.mu.Unlock()
	after()
	all.mu.Lock()
	all.deciding--
	all.mu.Unlock()
	h.desk.Wake()
}

// settle forgets an audit. The lock is held.
func (h *Host) settle(a *audit) {
	all := h.audits
	all.list = slices.DeleteFunc(all.list, func(b *audit) bool { return a == b })
}

// Busy implements runner.Remote.
func (h *Host) Busy() bool {
	h.audits.mu.Lock()
	defer h.audits.mu.Unlock()
	return len(h.audits.list)+len(h.audits.accused)+h.audits.deciding > 0
}
