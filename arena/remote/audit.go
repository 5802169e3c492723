package remote

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"thera/arena"
	"thera/arena/session"
	"thera/engine/game"
)

// What the rules cannot show, legal moves of another program, and ends that a worker made
// up, is audited: a share of the pairs that workers played is played again by somebody else,
// where games repeat. A pair is chosen when its games are stored, by a secret of this start of the
// host. An audit is a pair like any other, so that no worker can tell the two apart, and its
// games are compared instead of stored. What nobody else may play, this machine plays.
//
// Two playings that differ are decided by this machine, which nobody who sends games can be
// part of. It plays the pair twice: who has another one is charged, and its games of the pair
// are set aside and played again. If the two differ, nobody is charged.
//
// Of a worker that is charged every further pair is audited, and earlier ones. One that is charged
// for more than a few of its pairs is expelled, and all of its games are set aside: one or two
// differences in many pairs can be those of an engine that crashes now and then.

const (
	mostCharges = 2   // then a worker is expelled,
	chargeShare = 20  // if more than one in so many of its pairs is charged
	mostBack    = 500 // earlier pairs of a worker that is charged: if many of more are false, so are many of these
)

// part is what a worker played of a pair, by the first of its games.
type part struct{ worker, game string }

// played is how somebody played a pair: a worker, or this machine, which is "".
type played struct {
	who   string
	games []*arena.Game
}

func (p *played) String() string {
	if p.who == "" {
		return "this machine"
	}
	return "worker " + p.who
}

// recall finds which audits are due since the run was played before, and who is excluded.
func (h *Host) recall(ctx context.Context) (excluded map[string]string, err error) {
	incidents, err := h.Book.Incidents(ctx, h.run)
	if err != nil {
		return nil, err
	}
	excluded = map[string]string{}
	for _, i := range incidents {
		of := part{i.Worker, i.Game}
		switch i.Kind {
		case arena.AuditDue:
			h.known[of] = false
			h.due = append(h.due, of)
			continue
		case arena.AuditDiffers, arena.AuditFalse:
			h.charged[i.Worker]++
			h.compared[i.Worker]++
		case arena.AuditEqual:
			h.compared[i.Worker]++
		case arena.Excluded:
			excluded[i.Worker] = i.Text
			h.members[i.Worker] = &member{name: i.Worker, banned: arena.Excluded, why: "it is expelled from this run: " + i.Text}
		}
		if i.Kind == arena.AuditDiffers || i.Kind == arena.AuditEqual || i.Kind == arena.AuditUndecided {
			h.due = slices.DeleteFunc(h.due, func(other part) bool { return other == of })
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
	return share < h.Plan.Audit || h.charged[worker] > 0
}

// repeats reports whether games of a pairing are the same whenever they are played.
func (h *Host) repeats(pairing [2]string) bool {
	return !slices.ContainsFunc(pairing[:], func(name string) bool {
		spec := h.Plan.Engine(name)
		if spec == nil {
			return true
		}
		limit := h.Plan.LimitOf(spec)
		return !limit.Exact()
	})
}

// enter has a pair audited: played again by somebody else, and by this machine if that is another one.
func (h *Host) enter(of part) {
	h.mu.Lock()
	playing := h.known[of]
	h.known[of] = true
	h.mu.Unlock()
	if playing {
		return
	}
	h.keep(of.worker, arena.AuditDue, of.game, "") // once
	h.begin(func() {
		if stored, ok := h.stored(of); ok {
			h.decide(of, stored, func(here bool) (*played, bool) { return h.again(of, stored, here) })
		}
		h.mu.Lock()
		h.known[of] = false
		h.mu.Unlock()
	})
}

// decide compares the stored games of a pair with others, which again makes until the run ends.
func (h *Host) decide(of part, stored []*arena.Game, again func(here bool) (*played, bool)) {
	other, ok := again(false)
	if !ok {
		return
	}
	id, how := differs(stored, other.games)
	if id == "" {
		h.count(of.worker, other.who)
		h.keep(of.worker, arena.AuditEqual, of.game, ": by "+other.String())
		return
	}
	h.say("worker %s: game %s is another one when %v plays it: %s; this machine decides", of.worker, arena.Short(id), other, how)
	first, ok := other, true
	if other.who != "" {
		first, ok = again(true)
	}
	if !ok {
		return
	}
	last, ok := again(true)
	if !ok {
		return
	}
	if id, how := differs(first.games, last.games); id != "" {
		text := fmt.Sprintf(": game %s is another one each time that it is played: %s", arena.Short(id), how)
		h.say("worker %s%s", of.worker, text)
		h.keep(of.worker, arena.AuditUndecided, of.game, text)
		return
	}
	h.count(of.worker, other.who)
	if id, how := differs(stored, last.games); id == "" {
		h.keep(of.worker, arena.AuditEqual, of.game, ": by this machine")
	} else {
		h.charge(of.worker, arena.AuditDiffers, of, stored,
			fmt.Sprintf(": game %s is another one when this machine plays it, both times: %s", arena.Short(id), how))
	}
	if id, how := differs(last.games, other.games); id != "" {
		h.charge(other.who, arena.AuditFalse, of, nil,
			fmt.Sprintf(": it played game %s of worker %s again as another one, and this machine did not: %s", arena.Short(id), of.worker, how))
	}
}

// stored are the games of a pair that a worker has played and that count.
func (h *Host) stored(of part) (games []*arena.Game, ok bool) {
	rec, err := h.Book.Stored(h.ctx, h.run, of.game)
	for leg := 0; leg < 2 && err == nil && rec != nil; leg++ {
		var game *arena.Game
		game, err = h.Book.Stored(h.ctx, h.run, h.Plan.Identity(rec.Pairing).Job(rec.Pair, leg))
		if err == nil && game != nil && game.By != nil && game.By.Worker == of.worker && game.Source != arena.Unrated {
			games = append(games, game)
		}
	}
	if err != nil && h.ctx.Err() == nil {
		h.say("the pair of game %s is not audited: %v", arena.Short(of.game), err)
	}
	return games, err == nil && len(games) > 0
}

// again has a pair played again, by this machine if that shall be so or nobody else may. It returns false if
// the run ends before, or this machine stalls: the pair is due in the next start.
func (h *Host) again(of part, stored []*arena.Game, here bool) (*played, bool) {
	p := &session.Pair{Of: of.worker, Here: here}
	for _, rec := range stored {
		p.Jobs, p.All = append(p.Jobs, rec.Job), append(p.All, rec.ID)
	}
	got := make(chan *played, 1)
	p.Audit = func(who string, games []*arena.Game) { got <- &played{who, games} }
	h.desk.Offer(p)
	select {
	case is := <-got:
		whole := is.games[len(is.games)-1].Source != arena.Stalled
		if !whole && is.who != "" {
			return h.again(of, stored, true)
		}
		return is, whole
	case <-h.ctx.Done():
		return nil, false
	}
}

// count counts a pair of which somebody knows how it should be.
func (h *Host) count(players ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, player := range players {
		h.compared[player]++
	}
}

// charge notes that a worker played a pair as another one than it should be. Its games of the
// pair are set aside, or all. That is noted afterwards: if the host is killed before, the
// audit is still due.
func (h *Host) charge(name string, kind arena.IncidentKind, of part, games []*arena.Game, text string) {
	h.say("worker %s%s", name, text)
	h.mu.Lock()
	h.charged[name]++
	n, all := h.charged[name], h.compared[name]
	h.mu.Unlock()
	switch {
	case n >= mostCharges && chargeShare*n > all:
		h.exclude(name, fmt.Sprintf("%d of %d audited pairs are others than they should be", n, all))
	case games != nil:
		var ids []string
		for _, rec := range games {
			ids = append(ids, rec.ID)
		}
		h.setAside(name, ids, "other games when they are played elsewhere")
	}
	h.keep(name, kind, of.game, text)
	if n == 1 {
		h.lookBack(name)
	}
}

// lookBack audits earlier pairs of a worker that was charged for another one.
func (h *Host) lookBack(name string) {
	games, err := h.Book.Finished(h.ctx, h.run)
	if err != nil {
		h.say("earlier pairs of worker %s are not audited: %v", name, err)
		return
	}
	n := 0
	for i := range games {
		rec := &games[i]
		of, other := part{name, rec.ID}, part{name, h.Plan.Identity(rec.Pairing).Job(rec.Pair, 1-rec.Leg)}
		if rec.By == nil || rec.By.Worker != name || !rec.Status.Counts() || !h.repeats(rec.Pairing) {
			continue
		}
		h.mu.Lock()
		_, known := h.known[of]
		_, too := h.known[other]
		h.mu.Unlock()
		if known || too {
			continue
		}
		if n++; n > mostBack {
			return
		}
		h.enter(of)
	}
}

// exclude expels a worker for this run and all its starts, and sets its games aside.
func (h *Host) exclude(name, why string) {
	h.expel(name, arena.Excluded, why)
	h.setAside(name, nil, why)
}

// setAside sets games of a worker aside, all if none are named.
func (h *Host) setAside(name string, games []string, why string) {
	if err := h.desk.SetAside(name, games, why); err != nil {
		h.say("the games of worker %s are not set aside: %v", name, err)
	}
}

// differs compares the games of a pair, and returns the first that is another one, "" if
// there is none, and how. A fault or a resignation here and none there is a difference; what
// kind of fault ended a game may depend on the machine.
func differs(was, is []*arena.Game) (id, text string) {
	for i, a := range was {
		b := is[i]
		for n := range max(len(a.Moves), len(b.Moves)) {
			if there, here := ply(b, n), ply(a, n); there != here {
				return a.ID, fmt.Sprintf("ply %d is %s there, and %s here", n+1, there, here)
			}
		}
		if there, here := end(b), end(a); there != here {
			return a.ID, fmt.Sprintf("after ply %d %s there, and %s here", len(a.Moves), there, here)
		}
	}
	return "", ""
}

// ply is a move, or how the game ended before it.
func ply(rec *arena.Game, i int) string {
	if i < len(rec.Moves) {
		return cut(rec.Moves[i], 100)
	}
	return "the end (" + end(rec) + ")"
}

// end says how a game ended, in words that are the same wherever it is played.
func end(rec *arena.Game) string {
	loser := rec.Outcome.Winner.Other()
	switch {
	case rec.Outcome.Winner == game.None && rec.Fault != nil:
		return "both seats are at fault"
	case rec.Outcome.Winner == game.None:
		return "nobody wins"
	case rec.Fault != nil:
		return fmt.Sprintf("seat %d is at fault", loser)
	case rec.Outcome.Reason == game.Resigned:
		return fmt.Sprintf("seat %d resigns", loser)
	}
	return fmt.Sprintf("seat %d loses", loser)
}
