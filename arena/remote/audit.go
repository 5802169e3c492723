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

// The rules do not show that another program chose a legal move, or that a worker made up the
// end of a game. So where games repeat, a share of the pairs of workers is audited: somebody
// else plays them again. A pair is chosen at random when its games have come. An audit is sent
// like any other pair, so that no worker can tell which it is. Its games are compared, not
// stored. If no other worker may play an audit, this machine plays it.
//
// If the games differ, this machine decides, because no worker can influence it. It plays the
// pair twice. A worker that has other games is charged, and its games of the pair are excluded
// and played again. If the two playings of this machine differ, nobody is charged.
//
// All further pairs of a worker that was charged are audited, and some of its earlier ones. A
// worker that is charged for more than a few of its pairs is expelled, and all of its games
// are excluded. One or two differences in many pairs may come from an engine that crashes now
// and then.

const (
	mostCharges = 2   // after which a worker is excluded,
	chargeShare = 20  // if more than one in chargeShare of its audited pairs is charged
	mostBack    = 500 // audited earlier pairs of a worker that is charged; if many of more are false, so are many of these
)

// part identifies the games of a pair that a worker played, by the first of them.
type part struct{ worker, game string }

// note stores an incident of a worker and counts it. It reports an error of the store.
func (h *Host) note(of part, kind arena.IncidentKind, text string) {
	i := arena.Incident{Time: time.Now(), Worker: of.worker, Kind: kind, Game: of.game, Text: arena.Cut(text, mostRemark)}
	if err := h.run.Store.Incident(context.Background(), h.run.ID, i); err != nil {
		h.say("storing what is known about worker %s: %v", of.worker, err)
	}
	h.count(&i)
}

// count counts an incident of a worker, from this start of the run or an earlier one.
func (h *Host) count(i *arena.Incident) {
	h.mu.Lock()
	defer h.mu.Unlock()
	w, differs := h.known(i.Worker), i.Kind == arena.AuditDiffers || i.Kind == arena.AuditFalse
	if due, audit := i.Kind.Audit(); audit {
		h.audits[part{i.Worker, i.Game}] = due
	}
	if differs {
		w.charged++
	}
	if differs || i.Kind == arena.AuditEqual {
		w.compared++
	}
}

// recall reads the incidents of earlier starts of the run. It returns who is excluded, and
// holds the end of the run for each audit that is due.
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

// chosen decides whether a pair with these games is audited.
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

// repeats reports whether games of a pairing are always the same.
func (h *Host) repeats(pairing [2]string) bool {
	return !slices.ContainsFunc(h.run.Plan.Engines, func(e arena.EngineSpec) bool {
		limit := h.run.Plan.LimitOf(&e)
		return slices.Contains(pairing[:], e.Name) && !limit.Exact()
	})
}

// enter audits a pair whose audit is due. If the run has ended, it is due in its next start. A run that is
// interrupted before the audit stays held, so that it is not finished.
func (h *Host) enter(of part) {
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

// decide compares the stored games of a pair with those that again returns, which plays the
// pair again. again returns false if the run ends.
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
	h.say("worker %s: game %s differs when %s plays it: %s; this machine decides", of.worker, arena.Short(id), by, how)
	_, is, ok := again(true)
	if !ok {
		return
	}
	_, once, ok := again(true)
	if !ok {
		return
	}
	if id, how := differs(is, once); id != "" {
		text := fmt.Sprintf(": game %s differs each time that it is played: %s", arena.Short(id), how)
		h.say("worker %s%s", of.worker, text)
		h.note(of, arena.AuditUndecided, text)
		return
	}
	if id, how := differs(stored, is); id == "" {
		h.note(of, arena.AuditEqual, ": by this machine")
	} else {
		h.charge(of, arena.AuditDiffers, stored,
			fmt.Sprintf(": game %s differs when this machine plays it, both times: %s", arena.Short(id), how))
	}
	if id, how := differs(is, other); id != "" && who != "" {
		h.charge(part{who, of.game}, arena.AuditFalse, nil,
			fmt.Sprintf(": it played game %s of worker %s again and got another game, which this machine did not: %s",
				arena.Short(id), of.worker, how))
	}
}

// stored returns the games of a pair that the worker played and that count.
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

// again has a pair played again: by this machine if here is set or nobody else may play it. It
// returns the name of the worker that played it, "" for this machine. It returns false if the
// run ends or this machine stalls. The audit is then due in the next start.
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

// charge charges a worker with false games of a pair. It excludes these games, or all games of
// the worker, and notes the charge afterwards, so that the audit is still due if the host is
// killed in between.
func (h *Host) charge(of part, kind arena.IncidentKind, games []*arena.Game, text string) {
	h.say("worker %s%s", of.worker, text)
	h.charging <- struct{}{} // one at a time, so that each is counted
	defer func() { <-h.charging }()
	h.mu.Lock()
	n, all := h.known(of.worker).charged+1, h.known(of.worker).compared+1
	h.mu.Unlock()
	var err error
	switch {
	case n >= mostCharges && chargeShare*n > all:
		why := fmt.Sprintf("%d of %d audited pairs differ", n, all)
		h.expel(of.worker, true, why)
		err = h.run.Exclude(of.worker, nil, why)
	case games != nil:
		ids := arena.Map(games, func(g *arena.Game) string { return g.ID })
		err = h.run.Exclude(of.worker, ids, "other games when they are played elsewhere")
	}
	if err != nil {
		return // because the run ends
	}
	h.note(of, kind, text)
	if n == 1 {
		h.lookBack(of.worker)
	}
}

// lookBack audits earlier pairs of a worker that was charged.
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
			h.note(of, arena.AuditDue, "")
			h.enter(of)
		}
	}
}

// differs compares the games of a pair. It returns the first game that differs, "" if there is
// none, and how. A fault or a resignation in only one of two games is a difference. The kind of
// fault is not compared, because it may depend on the machine.
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

// words returns the moves of a game and its end, in words that do not depend on the machine.
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
