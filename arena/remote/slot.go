package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/session"
	"thera/arena/tournament"
)

// employ has a member play until it is gone, or the run is over: for each of its slots there is
// one here, which takes a pair, calls the worker with it, and takes the next one while the
// games are verified and stored.
func (h *Host) employ(m *member) {
	defer m.cancel()
	if _, err := h.call(m, "join", h.terms); err != nil {
		return
	}
	h.desk.Join(m.name, m.pairs)
	defer h.desk.Leave(m.name)
	count := func(n int) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.workers += n
		h.slots += n * m.slots
	}
	count(1)
	defer count(-1)
	h.say(remark("worker %s plays, with %s", m.name, arena.Plural(m.slots, "slot")))
	h.desk.Wake()
	var slots sync.WaitGroup
	for range m.slots {
		slots.Go(func() { h.slot(m) })
	}
	slots.Wait()
}

// slot plays pairs until the member is gone.
func (h *Host) slot(m *member) {
	var taking sync.WaitGroup
	defer taking.Wait()
	for {
		p, err := h.desk.Take(m.ctx, m.name)
		if err != nil {
			return
		}
		data, err := h.play(m, p)
		taking.Wait()
		if err != nil {
			h.desk.Return(p)
			return
		}
		taking.Go(func() {
			if !h.take(m, p, data) {
				h.desk.Return(p)
			}
		})
	}
}

// call asks a worker until it has an answer. The error is that the worker is gone.
func (h *Host) call(m *member, what string, data []byte) ([]byte, error) {
	subject := callSubject(m.name, m.start, what)
	for {
		again := time.After(h.every() / 10)
		ctx, cancel := context.WithTimeout(m.ctx, 2*h.every())
		answer, err := h.Conn.RequestWithContext(ctx, subject, data)
		cancel()
		switch {
		case m.ctx.Err() != nil:
			return nil, m.ctx.Err()
		case errors.Is(err, nats.ErrNoResponders): // it may be connecting again
			h.mu.Lock()
			m.absent = true
			h.mu.Unlock()
		case err == nil:
			h.mu.Lock()
			m.seen, m.absent = time.Now(), false
			h.mu.Unlock()
			switch answer.Header.Get(headerState) {
			case stateStill:
			case stateUnknown:
				h.part(m, left, "has forgotten the run")
			case stateFailed:
				h.part(m, unable, "has left: it cannot play the run: "+string(answer.Data))
			default:
				return answer.Data, nil
			}
		}
		select {
		case <-again: // whoever answers at once is not asked again at once
		case <-m.ctx.Done():
		}
	}
}

// play has a worker play a pair, and returns its games, packed.
func (h *Host) play(m *member, p *session.Pair) ([]byte, error) {
	o := order{Key: h.key, Pair: p.All[0], Jobs: p.Jobs, Wait: h.every()}
	h.mu.Lock()
	o.Done, m.done = m.done, nil
	h.mu.Unlock()
	return h.call(m, "play", encode(o))
}

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

// take verifies the games of a pair and has them stored. It reports whether the pair is
// settled: else it goes to the next one.
func (h *Host) take(m *member, p *session.Pair, data []byte) bool {
	recs, err := h.verify(m, p, data)
	var untrue *falseGame
	switch {
	case errors.As(err, &untrue):
		h.told(m, p)
		h.refuse(m, untrue)
		return false
	case err != nil || h.isOut(m):
		return false
	case p.Audit != nil:
		h.told(m, p)
		p.Audit(m.name, recs)
		return true
	case recs[len(recs)-1].Source == arena.Stalled:
		h.told(m, p) // it is played anew, also by this worker
	}
	ctx := context.Background() // what was played is stored, also if the run ends now
	of := part{m.name, recs[0].ID}
	due := h.chosen(m.name, recs)
	if due { // it is known before the games are there: so none is forgotten
		h.note(of)
	}
	if err := h.desk.Store(ctx, p, recs); err != nil {
		return true // the run ends
	}
	h.told(m, p)
	if !due && h.chosen(m.name, recs) { // the worker was charged meanwhile, see lookBack
		due = true
		h.note(of)
	}
	if due {
		if err := h.enter(ctx, of, ""); err != nil {
			h.say(remark("the pair of game %s is not audited: %v", arena.Short(of.game), err))
		}
	}
	return true
}

// told notes that a worker need not keep a pair.
func (h *Host) told(m *member, p *session.Pair) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m.done = append(m.done, p.All[0])
}

func (h *Host) isOut(m *member) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return m.state >= expelled
}

// verify reads the games of a pair and returns those that were asked.
func (h *Host) verify(m *member, p *session.Pair, data []byte) ([]*arena.Game, error) {
	h.busy <- struct{}{} // this does not wait for long
	defer func() { <-h.busy }()
	games, err := unpack(data)
	if err != nil {
		return nil, &falseGame{Err: err}
	}
	recs, err := asked(p, games)
	if err != nil {
		return nil, err
	}
	for _, rec := range recs {
		if err := beyond(rec); err != nil {
			return nil, &falseGame{rec.ID, err}
		}
	}
	if p.Audit != nil {
		return recs, nil
	}
	start, err := tournament.Make(context.Background(), h.Plan, p.Jobs[0])
	if err != nil {
		return nil, err
	}
	for i, rec := range recs {
		if err := match.Verify(h.Plan, p.Jobs[i], start.Position, rec); err != nil {
			return nil, &falseGame{rec.ID, err}
		}
		trim(rec)
		rec.Job = p.Jobs[i]
		rec.Started = time.Now().Add(-time.Duration(rec.Seconds * float64(time.Second))) // the worker's clock may be wrong
		rec.By = &arena.By{Worker: m.name, Speed: m.speed, Sandbox: m.sandbox}
	}
	if h.stalled(m, recs[len(recs)-1].Source == arena.Stalled) {
		return nil, &falseGame{recs[0].ID, errors.New("too many games of this worker stall")}
	}
	return recs, nil
}

// asked are the games that were asked, in the order of the jobs: all of them, or those up to
// one that stalled. A worker may have played the other game of the pair as well.
func asked(p *session.Pair, games []*arena.Game) ([]*arena.Game, error) {
	var recs []*arena.Game
	for _, job := range p.Jobs {
		i := slices.IndexFunc(games, func(rec *arena.Game) bool { return rec.ID == job.ID })
		if i < 0 {
			return nil, &falseGame{games[len(games)-1].ID, fmt.Errorf("game %s was asked", job.ID)}
		}
		recs = append(recs, games[i])
		if games[i].Source == arena.Stalled {
			break
		}
	}
	return recs, nil
}
