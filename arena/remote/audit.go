package remote

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/session"
	"thera/engine/game"
)

// What the rules cannot show, legal moves of another program, and ends that a worker made
// up, is audited: a share of the pairs that workers played is played again by somebody else,
// where games repeat. A pair is chosen at random when its games have come. An audit is a pair
// like any other, so that no worker can tell the two apart, and its games are compared instead
// of stored. What nobody else may play, this machine plays.
//
// Two playings that differ are decided by this machine, which nobody who sends games can be
// part of. It plays the pair twice: who has another one is charged, and its games of the pair
// are excluded and played again. If the two differ, nobody is charged.
//
// Of a worker that is charged every further pair is audited, and earlier ones. One that is charged
// for more than a few of its pairs is expelled, and all of its games are excluded: one or two
// differences in many pairs can be those of an engine that crashes now and then.

const (
	mostCharges = 2   // then a worker is excluded,
	chargeShare = 20  // if more than one in chargeShare of its audited pairs is charged
	mostBack    = 500 // earlier pairs of a worker that is charged: if many of more are false, so are many of these
)

// part is what a worker played of a pair, by the first of its games.
type part struct{ worker, game string }

// note keeps what happened with a worker, or shows that it cannot be kept, and counts it.
func (h *Host) note(of part, kind arena.IncidentKind, text string) {
	i := arena.Incident{Time: time.Now(), Worker: of.worker, Kind: kind, Game: of.game, Text: arena.Cut(text, mostRemark)}
	if err := h.run.Store.Incident(context.Background(), h.run.ID, i); err != nil {
		h.say("what is known about worker %s is not stored: %v", of.worker, err)
	}
	h.count(&i)
}

// count counts what happened with a worker, in this start or an earlier one.
func (h *Host) count(i *arena.Incident) {
	h.mu.Lock()
	defer h.mu.Unlock()
	w, differs := h.known(i.Worker), i.Kind == arena.AuditDiffers || i.Kind == arena.AuditFalse
	switch i.Kind {
	case arena.AuditDue:
		h.audits[part{i.Worker, i.Game}] = true
	case arena.AuditEqual, arena.AuditDiffers, arena.AuditUndecided:
		h.audits[part{i.Worker, i.Game}] = false
	}
	if differs {
		w.charged++
	}
	if differs || i.Kind == arena.AuditEqual {
		w.compared++
	}
}

// recall finds which audits are due since the run was played before, for which its end
// waits, and who is excluded.
func (h *Host) recall(ctx context.Context) (excluded map[string]string, err error) {
	incidents, err := h.run.Store.Incidents(ctx, h.run.ID)
	excluded = map[string]string{}
	for _, i := range incidents {
		h.count(&i)
		if i.Kind == arena.Excluded {
			excluded[i.Worker] = i.Text
			w := h.known(i.Worker)
			w.why, w.expelled, w.excluded = "it is expelled from this run: "+i.Text, true, true
		}
	}
	for of, due := range h.audits {
		if due {
			h.run.Hold()
			h.due = append(h.due, of)
		}
	}
	slices.SortFunc(h.due, func(a, b part) int { return strings.Compare(a.worker+a.game, b.worker+b.game) }) // a seed repeats
	return excluded, err
}

// chosen reports whether a pair with these games is to be audited.
func (h *Host) chosen(of part, games []*arena.Game) bool {
	if h.run.Plan.Audit <= 0 || !h.repeats(games[0].Pairing) {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	is := h.draw() < h.run.Plan.Audit || h.known(of.worker).charged > 0
	if is {
		h.audits[of] = true
	}
	return is
}

// repeats reports whether games of a pairing are the same whenever they are played.
func (h *Host) repeats(pairing [2]string) bool {
	return !slices.ContainsFunc(h.run.Plan.Engines, func(e arena.EngineSpec) bool {
		limit := h.run.Plan.LimitOf(&e)
		return slices.Contains(pairing[:], e.Name) && !limit.Exact()
	})
}

// enter has a pair audited: played again by somebody else, and by this machine if that is another
// one. If the run has ended, that is due in its next start; one that is interrupted before stays held, so that it is
// not finished.
func (h *Host) enter(of part) {
	h.note(of, arena.AuditDue, "") // once
	if !h.run.Hold() {
		return
	}
	h.work.Go(func() {
		if stored, ok := h.stored(of); ok {
			h.decide(of, stored, func(here bool) (string, []*arena.Game, bool) { return h.again(of, stored, here) })
		}
		if h.ctx.Err() == nil {
			h.run.Release()
		}
	})
}

// decide compares the stored games of a pair with others, which again makes until the run ends.
func (h *Host) decide(of part, stored []*arena.Game, again func(here bool) (who string, games []*arena.Game, ok bool)) {
	who, other, ok := again(false)
	if !ok {
		return
	}
	by := "this machine"
	if who != "" {
		by = "worker " + who
	}
	id, how := differs(stored, other)
	if id == "" {
		h.note(of, arena.AuditEqual, ": by "+by)
		return
	}
	h.say("worker %s: game %s is another one when %s plays it: %s; this machine decides", of.worker, arena.Short(id), by, how)
	_, is, ok := again(true)
	if !ok {
		return
	}
	_, once, ok := again(true)
	if !ok {
		return
	}
	if id, how := differs(is, once); id != "" {
		text := fmt.Sprintf(": game %s is another one each time that it is played: %s", arena.Short(id), how)
		h.say("worker %s%s", of.worker, text)
		h.note(of, arena.AuditUndecided, text)
		return
	}
	if id, how := differs(stored, is); id == "" {
		h.note(of, arena.AuditEqual, ": by this machine")
	} else {
		h.charge(of, arena.AuditDiffers, stored,
			fmt.Sprintf(": game %s is another one when this machine plays it, both times: %s", arena.Short(id), how))
	}
	if id, how := differs(is, other); id != "" && who != "" {
		h.charge(part{who, of.game}, arena.AuditFalse, nil,
			fmt.Sprintf(": it played game %s of worker %s again as another one, and this machine did not: %s",
				arena.Short(id), of.worker, how))
	}
}

// stored are the games of a pair that a worker has played and that count.
func (h *Host) stored(of part) (games []*arena.Game, ok bool) {
	g, err := h.run.Store.Stored(h.ctx, h.run.ID, of.game)
	for leg := 0; leg < 2 && err == nil && g != nil; leg++ {
		var one *arena.Game
		one, err = h.run.Store.Stored(h.ctx, h.run.ID, h.run.Plan.Identity(g.Pairing).Job(g.Pair, leg))
		if err == nil && one != nil && one.By != nil && one.By.Worker == of.worker && one.Source != arena.Unrated {
			games = append(games, one)
		}
	}
	if err != nil && h.ctx.Err() == nil {
		h.say("the pair of game %s is not audited: %v", arena.Short(of.game), err)
	}
	return games, err == nil && len(games) > 0
}

// again has a pair played again, by this machine if that shall be so or nobody else may, and returns who
// played it, "" for this machine. It returns false if the run ends before, or this machine stalls: the pair
// is due in the next start.
func (h *Host) again(of part, stored []*arena.Game, here bool) (who string, games []*arena.Game, ok bool) {
	p := &session.Pair{Of: of.worker, Here: here}
	for _, g := range stored {
		p.Jobs, p.All = append(p.Jobs, g.Job), append(p.All, g.ID)
	}
	played := make(chan struct{})
	p.Audit = func(by string, list []*arena.Game) {
		who, games = by, list
		close(played)
	}
	h.run.Offer(p)
	select {
	case <-played:
	case <-h.ctx.Done():
		return "", nil, false
	}
	whole := games[len(games)-1].Source != arena.Stalled
	if !whole && who != "" {
		return h.again(of, stored, true)
	}
	return who, games, whole
}

// charge notes that a worker played a pair as another one than it should be. Its games of the
// pair are excluded, or all. That is noted afterwards: if the host is killed before, the
// audit is still due.
func (h *Host) charge(of part, kind arena.IncidentKind, games []*arena.Game, text string) {
	h.say("worker %s%s", of.worker, text)
	h.charging <- struct{}{} // one after the other, so that each is counted
	defer func() { <-h.charging }()
	h.mu.Lock()
	n, all := h.known(of.worker).charged+1, h.known(of.worker).compared+1
	h.mu.Unlock()
	var err error
	switch {
	case n >= mostCharges && chargeShare*n > all:
		why := fmt.Sprintf("%d of %d audited pairs are others than they should be", n, all)
		h.expel(of.worker, true, why)
		err = h.run.Exclude(of.worker, nil, why)
	case games != nil:
		ids := arena.Map(games, func(g *arena.Game) string { return g.ID })
		err = h.run.Exclude(of.worker, ids, "other games when they are played elsewhere")
	}
	if err != nil {
		return // the run ends
	}
	h.note(of, kind, text)
	if n == 1 {
		h.lookBack(of.worker)
	}
}

// lookBack audits earlier pairs of a worker that was charged for another one.
func (h *Host) lookBack(name string) {
	games, err := h.run.Store.Finished(h.ctx, h.run.ID)
	if err != nil {
		h.say("earlier pairs of worker %s are not audited: %v", name, err)
	}
	n := 0
	for _, g := range games {
		if n == mostBack || g.By == nil || g.By.Worker != name || !g.Status.Counts() || !h.repeats(g.Pairing) {
			continue
		}
		of := part{name, g.ID}
		h.mu.Lock()
		_, entered := h.audits[of]
		_, other := h.audits[part{name, h.run.Plan.Identity(g.Pairing).Job(g.Pair, 1-g.Leg)}]
		h.mu.Unlock()
		if !entered && !other {
			n++
			h.enter(of)
		}
	}
}

// differs compares the games of a pair, and returns the first that is another one, "" if
// there is none, and how. A fault or a resignation here and none there is a difference; what
// kind of fault ended a game may depend on the machine.
func differs(was, is []*arena.Game) (id, text string) {
	for i, g := range was {
		here, there := words(g), words(is[i])
		n := 0
		for n < min(len(here), len(there)) && here[n] == there[n] {
			n++
		}
		if n < max(len(here), len(there)) {
			return g.ID, fmt.Sprintf("ply %d is %s there, and %s here", n+1, word(there, n), word(here, n))
		}
	}
	return "", ""
}

// words are the moves of a game and its end, in words that are the same wherever it is played.
func words(g *arena.Game) []string {
	end := "nobody wins"
	switch loser := g.Outcome.Winner.Other(); {
	case g.Outcome.Winner == game.None && g.Fault != nil:
		end = "both seats are at fault"
	case g.Outcome.Winner == game.None:
	case g.Fault != nil:
		end = fmt.Sprintf("seat %d is at fault", loser)
	case g.Outcome.Reason == game.Resigned:
		end = fmt.Sprintf("seat %d resigns", loser)
	default:
		end = fmt.Sprintf("seat %d loses", loser)
	}
	return append(slices.Clone(g.Moves), "the end ("+end+")")
}

func word(words []string, n int) string { return arena.Cut(words[min(n, len(words)-1)], 100) }
