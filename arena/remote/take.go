package remote

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/opening"
)

// falseGame is the error of a game that is not what it says.
type falseGame struct {
	ID  string
	Err error
}

func (e *falseGame) Error() string {
	if e.ID == "" {
		return "false games are refused: " + e.Err.Error()
	}
	return fmt.Sprintf("game %.32q is refused: %v", e.ID, e.Err)
}

func (e *falseGame) Unwrap() error { return e.Err }

// takeGames takes games until ctx ends. Goroutines that do it again and again have stacks
// of the right size.
func (h *Host) takeGames(ctx context.Context) {
	for {
		select {
		case msg := <-h.handed:
			h.answer(msg, h.games(ctx, msg))
		case <-ctx.Done():
			return
		}
	}
}

// games takes the games of a lease.
func (h *Host) games(ctx context.Context, msg *nats.Msg) receipt {
	name := nameIn(msg.Subject)
	h.mu.Lock()
	m := h.members[name]
	out := m != nil && m.out != ""
	if m != nil {
		m.seen = time.Now()
	}
	h.mu.Unlock()
	switch {
	case m == nil:
		return receipt{Unknown: true}
	case out:
		return receipt{Refused: "the worker is expelled", Out: true}
	}
	data, err := h.joiner.join(name, msg)
	if errors.Is(err, errMoreParts) {
		return receipt{More: true}
	}
	var untrue *falseGame
	if err == nil {
		err = h.take(ctx, m, data)
	}
	switch {
	case err == nil:
		h.dealer.end(m, msg.Header.Get(headerLease), true)
		return receipt{Stored: true}
	case errors.As(err, &untrue):
		h.dealer.end(m, msg.Header.Get(headerLease), false)
		return receipt{Refused: err.Error(), Out: h.refuse(m, untrue)}
	}
	return receipt{Error: err.Error()}
}

// take verifies the games of a lease and has them stored. All of them are stored, or
// none if one is false.
func (h *Host) take(ctx context.Context, m *Member, data []byte) error {
	recs, err := h.verify(ctx, m, data)
	if err != nil || len(recs) == 0 {
		return err
	}
	audit := h.chosen(m.Name, recs)
	if audit { // it is known before the games are there: so none is forgotten
		if err := h.note(m.Name, arena.AuditDue, recs[0].ID, ""); err != nil {
			return err
		}
	}
	err = h.desk.Take(ctx, recs)
	if err != nil || !audit {
		return err
	}
	if err := h.enter(ctx, m.Name, recs[0].ID); err != nil {
		return err
	}
	h.offerAudits(ctx)
	return nil
}

// verify reads the games of a lease and returns those that are to be stored.
func (h *Host) verify(ctx context.Context, m *Member, data []byte) ([]*arena.Record, error) {
	h.busy <- struct{}{} // this does not wait for long
	defer func() { <-h.busy }()
	games, err := unpack(data)
	if err != nil {
		return nil, &falseGame{Err: err}
	}
	var start arena.Opening
	var of arena.Job // whose start it is
	var recs []*arena.Record
	for i, rec := range games {
		job, wanted := h.desk.Wanted(rec.ID)
		if !wanted {
			if h.audited(m.Name, rec) {
				continue
			}
			if err := h.double(ctx, m, rec); err != nil {
				return nil, err
			}
			continue
		}
		if start.Position == nil || of.Pairing != job.Pairing || of.Pair != job.Pair {
			if start, err = opening.Make(ctx, h.Plan, job); err != nil {
				return nil, err
			}
			of = job
		}
		if err := beyond(rec); err != nil {
			return nil, &falseGame{rec.ID, err}
		}
		if err := match.Verify(h.Plan, job, start.Position, rec); err != nil {
			return nil, &falseGame{rec.ID, err}
		}
		if rec.Source == arena.Stalled && i != len(games)-1 {
			return nil, &falseGame{rec.ID, fmt.Errorf("it stalled, and the pair goes on")}
		}
		trim(rec)
		rec.Job = job
		rec.Started = time.Now().Add(-time.Duration(rec.Seconds * float64(time.Second))) // the worker's clock may be wrong
		rec.By = &arena.By{Worker: m.Name, Speed: m.Speed, Sandbox: m.Sandbox}
		recs = append(recs, rec)
	}
	if len(recs) > 0 && h.stalls(m, recs[len(recs)-1].Source == arena.Stalled) {
		return nil, &falseGame{recs[0].ID, fmt.Errorf("too many games of this worker stall")}
	}
	return recs, nil
}

// double compares a game that is not wanted with the stored one. It is no lie where
// games do not repeat, or if it was never stored: then the run wants it no longer. A
// game with an identity that is not its own is one.
func (h *Host) double(ctx context.Context, m *Member, rec *arena.Record) error {
	if rec.Leg>>1 != 0 || h.Plan.Identity(rec.Pairing).Job(rec.Pair, rec.Leg) != rec.ID {
		return &falseGame{rec.ID, fmt.Errorf("no game of this run has that identity: leg %d of pair %d of %.60q - %.60q has another",
			rec.Leg, rec.Pair, rec.Pairing[0], rec.Pairing[1])}
	}
	if h.Stored == nil || rec.Source == arena.Stalled {
		return nil
	}
	stored, err := h.Stored(ctx, h.run, rec.ID)
	if err != nil || stored == nil {
		return err
	}
	if !h.repeats(stored.Pairing) {
		return nil
	}
	rec.Job = stored.Job
	if rec.Sameness() == stored.Sameness() {
		return nil
	}
	other := "this machine"
	if stored.By != nil {
		other = "worker " + stored.By.Worker
	}
	h.report(m.Name, arena.Contradiction, stored.ID, fmt.Sprintf(" contradicts %s in game %s: the first one is kept", other, stored.ID))
	return nil
}
