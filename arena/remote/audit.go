package remote

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"thera/arena"
	"thera/arena/session"
)

// What the rules cannot show, legal moves of another program, and ends that a worker made
// up, is audited: a share of the pairs that workers played is played again by somebody else,
// where games repeat. A pair is chosen when its games come, by a secret of this start of the
// host. An audit is a pair like any other, so that no worker can tell the two apart, and its
// games are compared instead of stored. What nobody else may play, this machine plays.
//
// Two playings that differ are decided by this machine, which nobody who sends games can be
// part of. It plays the pair twice: who has another one is charged, and its games of the pair
// are set aside and played again. If the two differ, nobody is charged.
//
// Of a worker that is charged every further pair is audited. One that is charged for more
// than a few of its pairs is expelled, and all of its games are set aside: one or two
// differences in many pairs can be those of an engine that crashes now and then.

const (
	mostCharges = 2   // then a worker is expelled,
	chargeShare = 20  // if more than one in so many of its pairs is charged
	mostBack    = 500 // earlier pairs of a worker that is charged: if many of more are false, so are many of these
)

// audits are the pairs of a run that are due. The host's lock is held.
type audits struct {
	due      map[part]*audit
	known    map[part]bool  // those that are settled as well
	compared map[string]int // pairs, by each worker that played them
	charged  map[string]int // of them, those that are others than they should be
}

// part is what a worker played of a pair, by the first of its games.
type part struct{ worker, game string }

// audit is a pair of a worker that is played again elsewhere.
type audit struct {
	part
	stored  []*arena.Game // in the order of the pair's jobs
	jobs    []arena.Job
	ids     []string
	plays   []play // of others, the first of which differs from the stored one
	accused string // an engine, if the pair is played again for its faults alone, see rates.go
}

// play is how a player played an audited pair: a worker, or this machine, which is "".
type play struct {
	player string
	games  []*arena.Game
}

// loadAudits finds what was due when the run was played before, and who is excluded.
func (h *Host) loadAudits(ctx context.Context) (excluded map[string]string, err error) {
	h.audits = audits{due: map[part]*audit{}, known: map[part]bool{}, compared: map[string]int{}, charged: map[string]int{}}
	excluded, h.ends = map[string]string{}, map[duel]map[string]*ends{}
	if h.secret == nil {
		h.secret = make([]byte, 32)
		_, _ = rand.Read(h.secret) // it never fails
	}
	incidents, err := h.Book.Incidents(ctx, h.run)
	if err != nil {
		return nil, err
	}
	var due []part
	settled := map[part]bool{}
	for _, i := range incidents {
		of := part{i.Worker, i.Game}
		switch i.Kind {
		case arena.AuditDue:
			due = append(due, of)
		case arena.AuditDiffers, arena.AuditFalse:
			h.audits.charged[i.Worker]++
			h.audits.compared[i.Worker]++
		case arena.AuditEqual:
			h.audits.compared[i.Worker]++
		case arena.Excluded:
			excluded[i.Worker] = i.Text
			h.members[i.Worker] = &member{name: i.Worker, state: excludedForGood, why: i.Text, cancel: func() {}}
		}
		if i.Kind == arena.AuditDiffers || i.Kind == arena.AuditEqual || i.Kind == arena.AuditUndecided {
			settled[of] = true
		}
	}
	for _, of := range due {
		h.audits.known[of] = true
		if settled[of] {
			continue
		}
		if err := h.enter(ctx, of, ""); err != nil {
			return nil, err
		}
	}
	return excluded, nil
}

// chosen reports whether the pair of these games is to be audited.
func (h *Host) chosen(worker string, recs []*arena.Game) bool {
	if h.Plan.Audit <= 0 || !h.repeats(recs[0].Pairing) || recs[len(recs)-1].Source == arena.Stalled {
		return false
	}
	sum := sha256.Sum256(append(slices.Clone(h.secret), recs[0].ID...))
	share := float64(binary.LittleEndian.Uint64(sum[:])) / (1 << 64)
	h.mu.Lock()
	defer h.mu.Unlock()
	return share < h.Plan.Audit || h.audits.charged[worker] > 0
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

// note notes that an audit is due, before anybody knows.
func (h *Host) note(of part) {
	h.mu.Lock()
	h.audits.known[of] = true
	h.mu.Unlock()
	h.keep(of.worker, arena.AuditDue, of.game, "")
}

// enter offers the audit of a stored pair. With an engine that is accused, this machine plays it.
func (h *Host) enter(ctx context.Context, of part, accused string) error {
	rec, err := h.Book.Stored(ctx, h.run, of.game)
	if err != nil || rec == nil || rec.By == nil || rec.By.Worker != of.worker {
		return err // it was set aside, or somebody else was first
	}
	a := &audit{part: of, accused: accused}
	identity := h.Plan.Identity(rec.Pairing)
	for leg := range 2 {
		rec, err := h.Book.Stored(ctx, h.run, identity.Job(rec.Pair, leg))
		if err != nil {
			return err
		}
		if rec != nil && rec.By != nil && rec.By.Worker == of.worker && rec.Source != arena.Unrated {
			a.stored, a.jobs, a.ids = append(a.stored, rec), append(a.jobs, rec.Job), append(a.ids, rec.ID)
		}
	}
	h.mu.Lock()
	is := len(a.jobs) > 0 && h.audits.due[of] == nil
	if is {
		h.audits.due[of] = a
	}
	h.mu.Unlock()
	if is {
		h.offer(a, accused != "")
	}
	return nil
}

// offer has an audit played, here if nobody else may.
func (h *Host) offer(a *audit, here bool) {
	h.desk.Offer(&session.Pair{
		Jobs: a.jobs, All: a.ids, Of: a.worker, Here: here,
		Audit: func(who string, recs []*arena.Game) { h.audited(a, play{who, recs}) },
	})
}

// audited takes a playing of an audit, if that is still due.
func (h *Host) audited(a *audit, p play) {
	h.mu.Lock()
	due := h.audits.due[a.part] == a
	h.mu.Unlock()
	stalled := p.games[len(p.games)-1].Source == arena.Stalled
	switch {
	case !due:
		return
	case stalled && p.player == "": // it is due again in the next start
		h.recount(a)
		h.settle(a)
		return
	case stalled || len(p.games) != len(a.stored):
		h.offer(a, true)
		return
	case a.accused != "":
		h.acquit(a, p.games)
		h.settle(a)
		return
	}
	a.plays = append(a.plays, p)
	id, how := differs(a.stored, p.games)
	switch {
	case len(a.plays) == 1 && id == "":
		h.count(a.worker, p.player)
		h.keep(a.worker, arena.AuditEqual, a.game, ": by "+playerName(p.player))
	case len(a.plays) == 1:
		h.say(remark("worker %s: game %s is another one when %s plays it: %s; this machine decides",
			a.worker, arena.Short(id), playerName(p.player), how))
		h.offer(a, true)
		return
	case a.plays[len(a.plays)-2].player != "": // only one is this machine's
		h.offer(a, true)
		return
	default:
		h.judge(a)
	}
	h.settle(a)
}

// judge decides about a pair that this machine has played twice, perhaps after somebody else.
func (h *Host) judge(a *audit) {
	other, last := a.plays[0], a.plays[len(a.plays)-1].games
	if where, how := differs(a.plays[len(a.plays)-2].games, last); where != "" {
		h.report(a.worker, arena.AuditUndecided, a.game, fmt.Sprintf(": game %s is another one each time that it is played: %s", arena.Short(where), how))
		return
	}
	h.count(a.worker, other.player)
	if id, how := differs(a.stored, last); id == "" {
		h.keep(a.worker, arena.AuditEqual, a.game, ": by this machine")
	} else {
		h.charge(a.worker, arena.AuditDiffers, a, a.ids,
			fmt.Sprintf(": game %s is another one when this machine plays it, both times: %s", arena.Short(id), how))
	}
	if id, how := differs(last, other.games); id != "" {
		h.charge(other.player, arena.AuditFalse, a, nil,
			fmt.Sprintf(": it played game %s of worker %s again as another one, and this machine did not: %s", arena.Short(id), a.worker, how))
	}
}

// count counts a pair of which somebody knows how it should be.
func (h *Host) count(players ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, player := range players {
		h.audits.compared[player]++
	}
}

// settle forgets an audit. The run may wait for it.
func (h *Host) settle(a *audit) {
	h.mu.Lock()
	delete(h.audits.due, a.part)
	h.mu.Unlock()
	h.desk.Wake()
}

// charge notes that a worker played a pair as another one than it should be. Its games of the
// pair are set aside, or all. That is noted afterwards: if the host is killed before, the
// audit is still due.
func (h *Host) charge(name string, kind arena.IncidentKind, a *audit, games []string, text string) {
	h.say(remark("worker %s%s", name, text))
	h.mu.Lock()
	h.audits.charged[name]++
	n, of := h.audits.charged[name], h.audits.compared[name]
	h.mu.Unlock()
	switch {
	case n >= mostCharges && chargeShare*n > of:
		h.exclude(name, fmt.Sprintf("%d of %d audited pairs are others than they should be", n, of))
	case games != nil:
		h.setAside(name, games, "other games when they are played elsewhere")
	}
	h.keep(name, kind, a.game, text)
	if n == 1 {
		if err := h.lookBack(name); err != nil {
			h.say(remark("earlier pairs of worker %s are not audited: %v", name, err))
		}
	}
}

// lookBack audits earlier pairs of a worker that was charged for another one.
func (h *Host) lookBack(name string) error {
	ctx := context.Background()
	games, err := h.Book.Finished(ctx, h.run)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for i := range games {
		there[games[i].ID] = games[i].Status.Counts()
	}
	n := 0
	for i := range games {
		game := &games[i]
		if game.By == nil || game.By.Worker != name || !there[game.ID] || !h.repeats(game.Pairing) {
			continue
		}
		of, other := part{name, game.ID}, part{name, h.Plan.Identity(game.Pairing).Job(game.Pair, 1-game.Leg)}
		h.mu.Lock()
		known := h.audits.known[of] || h.audits.known[other]
		h.mu.Unlock()
		if known || !there[other.game] && h.Plan.Format.Pairs {
			continue // the other game is being stored, and both are audited when it is
		}
		if n++; n > mostBack {
			break
		}
		h.note(of)
		if err := h.enter(ctx, of, ""); err != nil {
			return err
		}
	}
	return nil
}

// exclude expels a worker for this run and all its starts, and sets its games aside.
func (h *Host) exclude(name, why string) {
	h.mu.Lock()
	m := h.members[name]
	if m == nil {
		m = &member{name: name, cancel: func() {}}
		h.members[name] = m
	}
	h.mu.Unlock()
	if h.part(m, excludedForGood, why) {
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

// Busy implements session.Remote.
func (h *Host) Busy() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.audits.due)+len(h.accused) > 0
}
