package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

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
	info := arena.RunInfo{Name: h.Plan.Name, Game: h.Plan.Game.Name(), Plan: *h.Plan}
	info.Plan.File = ""
	_, err := h.call(m, "join", encode(terms{Key: h.key, Every: h.every(), Info: info, Engines: h.Plan.Engines, Ship: len(h.Ship) > 0}))
	if err != nil {
		return
	}
	h.desk.Join(m.name, m.Pairs)
	defer h.desk.Leave(m.name)
	h.plays(1, m.Slots)
	defer h.plays(-1, -m.Slots)
	h.say("worker %s plays, with %s", m.name, arena.Plural(m.Slots, "slot"))
	var slots sync.WaitGroup
	for range m.Slots {
		slots.Go(func() { h.slot(m) })
	}
	slots.Wait()
}

// plays counts those who play.
func (h *Host) plays(workers, slots int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.workers += workers
	h.slots += slots
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
		o := order{Key: h.key, Pair: p.All[0], Jobs: p.Jobs}
		h.mu.Lock()
		o.Done, m.done = m.done, nil
		h.mu.Unlock()
		data, err := h.call(m, "play", encode(o))
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
	for heard := time.Now(); ; {
		again := time.After(h.every() / 10)
		ctx, cancel := context.WithTimeout(m.ctx, 2*h.every())
		answer, err := h.Conn.RequestWithContext(ctx, callSubject(m.name, m.Start, what), data)
		cancel()
		switch {
		case err == nil:
			heard = time.Now()
			switch answer.Header.Get(headerState) {
			case stateStill:
			case stateUnknown:
				h.part(m, "has forgotten the run")
			case stateFailed:
				why := cut("it cannot play the run: "+string(answer.Data), mostRemark)
				h.mu.Lock()
				m.why = why
				h.mu.Unlock()
				h.part(m, "has left: "+why)
			default:
				return answer.Data, nil
			}
		case time.Since(heard) > h.Wait:
			h.part(m, "is silent: its pairs go to others")
		}
		select {
		case <-again: // whoever answers at once is not asked again at once
		case <-m.ctx.Done():
			return nil, m.ctx.Err()
		}
	}
}

// take verifies the games of a pair and has them stored. It reports whether the pair is
// settled: else it goes to the next one.
func (h *Host) take(m *member, p *session.Pair, data []byte) bool {
	recs, err := h.verify(m, p, data)
	switch {
	case err != nil:
		h.refuse(m, p.Jobs[0].ID, err)
	case p.Audit == nil:
		h.stalled(m, recs[len(recs)-1].Source == arena.Stalled)
	}
	if err != nil || h.gone(m) {
		h.settled(m, p)
		return false
	}
	if p.Audit != nil {
		p.Audit(m.name, recs)
	} else if h.desk.Store(context.Background(), p, recs) != nil { // what was played is stored, also if the run ends now
		return true // with this error
	}
	h.settled(m, p)
	if p.Audit == nil && h.chosen(m.name, recs) {
		h.enter(part{m.name, recs[0].ID})
	}
	return true
}

// settled notes that a worker need not keep a pair.
func (h *Host) settled(m *member, p *session.Pair) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m.done = append(m.done, p.All[0])
}

// gone reports whether no games of a member are taken any more.
func (h *Host) gone(m *member) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return m.banned != ""
}

// verify reads the games of a pair and returns those that were asked.
func (h *Host) verify(m *member, p *session.Pair, data []byte) ([]*arena.Game, error) {
	h.busy <- struct{}{} // this does not wait for long
	defer func() { <-h.busy }()
	games, err := unpack(data)
	if err != nil {
		return nil, err
	}
	recs, err := asked(p, games)
	if err != nil || p.Audit != nil {
		return recs, err
	}
	start, err := tournament.Make(context.Background(), h.Plan, p.Jobs[0])
	if err != nil {
		return nil, err
	}
	for i, rec := range recs {
		err := match.Verify(h.Plan, p.Jobs[i], start.Position, rec)
		if err == nil {
			err = bound(rec)
		}
		if err != nil {
			return nil, fmt.Errorf("game %.32s: %w", rec.ID, err)
		}

		rec.Job = p.Jobs[i]
		rec.Started = time.Now().Add(-time.Duration(rec.Seconds * float64(time.Second))) // the worker's clock may be wrong
		rec.By = &arena.By{Worker: m.name, Speed: m.Speed, Sandbox: m.Sandbox}
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
			return nil, errors.New("game " + job.ID + " was asked")
		}
		recs = append(recs, games[i])
		if games[i].Source == arena.Stalled {
			break
		}
	}
	return recs, nil
}
