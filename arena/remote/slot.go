package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/session"
	"thera/arena/tournament"
)

// employ lets a member play until it is gone or the run ends. For each slot of the member it runs
// one here, which takes a pair, calls the worker with it, and takes the next pair while the games
// are verified and stored.
func (h *Host) employ(m *member) {
	defer m.cancel()
	answer, err := h.call(m, "join", nil, arena.JSON(h.terms))
	h.came.Add(-int64(len(answer)))
	if err != nil {
		return
	}
	h.run.Join(m.name, m.Slots, m.Pairs)
	defer h.run.Leave(m.name)
	h.say("worker %s plays, with %s", m.name, arena.Plural(m.Slots, "slot"))
	var slots sync.WaitGroup
	for range m.Slots {
		slots.Go(func() { h.slot(m) })
	}
	slots.Wait()
}

// slot plays pairs until the member is gone.
func (h *Host) slot(m *member) {
	var taking sync.WaitGroup
	defer taking.Wait()
	for {
		p, err := h.run.Take(m.ctx, m.name)
		if err != nil {
			return
		}
		o := order{Key: h.terms.Key, Call: nuid.Next(), Pair: p.All[0], Kept: p.Kept, Jobs: p.Jobs}
		answer, err := h.call(m, "play", p, arena.JSON(o))
		taking.Wait()
		taking.Go(func() {
			defer h.came.Add(-int64(len(answer)))
			if err == nil {
				err = h.take(m, p, answer)
			}
			if err != nil {
				h.run.Return(p)
			}
		})
	}
}

const (
	mostCame = 256 << 20 // bytes of answers that wait to be verified
	mostSlow = 20        // how many times as long as others a worker may have a pair
)

// call asks a worker until it answers, and adds the size of the answer to came. It returns an
// error if the worker is gone. A worker that has a pair for too long is gone too. If it comes
// back, it goes on with its other pairs, and may have the next pair for twice as long.
func (h *Host) call(m *member, what string, p *session.Pair, data []byte) ([]byte, error) {
	for begun, heard := time.Now(), time.Now(); ; {
		again := time.After(h.every() / 10)
		if p != nil && h.run.Last.Err() != nil { // the run ends with its pair, but a worker that plays answers this at once
			if _, err := h.ask(m, "join", arena.JSON(h.terms), h.every()); err != nil {
				h.part(m, "cannot be reached, and the run was interrupted")
			}
		}
		answer, err := h.ask(m, what, data, 2*h.every())
		if err == nil {
			heard = time.Now()
			switch answer.Header.Get(headerState) {
			case stateStill:
			case stateFailed:
				why := arena.Cut("it cannot play the run: "+string(answer.Data), mostRemark)
				h.mu.Lock()
				m.why = why
				h.mu.Unlock()
				h.part(m, "has left: "+why)
			default:
				n := int64(len(answer.Data))
				if h.came.Add(n) <= mostCame {
					return answer.Data, nil
				}
				h.came.Add(-n)
			}
		}
		if time.Since(heard) > h.Wait {
			h.part(m, "is silent: its pairs go to others")
		}
		if p != nil && m.ctx.Err() == nil {
			took := time.Since(begun)
			if usual, known := h.run.Usual(m.name); known && took > (h.spare+mostSlow*usual)<<min(len(p.Slow), 20) {
				p.Slow = append(p.Slow, m.name)
				took = took.Round(time.Second)
				h.part(m, fmt.Sprintf("has not played a pair after %v: its pairs go to others", took))
			}
		}
		select {
		case <-again: // a worker that answers at once is not asked again at once
		case <-m.ctx.Done():
			return nil, m.ctx.Err()
		}
	}
}

// ask asks a worker once, and waits for this time at most. If the run is interrupted meanwhile, ask returns, so that a worker that is
// not connected any more is found.
func (h *Host) ask(m *member, what string, data []byte, wait time.Duration) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(m.ctx, wait)
	defer cancel()
	if h.run.Last.Err() == nil {
		defer context.AfterFunc(h.run.Last, cancel)()
	}
	return h.Conn.RequestWithContext(ctx, callSubject(m.name, m.Start, what), data)
}

// take verifies the games of a pair and stores them. If it returns an error, somebody else must
// play the pair.
func (h *Host) take(m *member, p *session.Pair, answer []byte) error {
	games, err := h.verify(m, p, answer)
	stalled := err == nil && games[len(games)-1].Source == arena.Stalled
	if err != nil || p.Audit == nil {
		h.judge(m, p.Jobs[0].ID, err, stalled)
	}
	h.mu.Lock()
	if m.expelled && err == nil {
		err = errors.New(m.why)
	}
	h.mu.Unlock()
	switch {
	case err != nil:
	case p.Audit != nil:
		p.Audit(m.name, games)
	default:
		of := part{m.name, games[0].ID}
		audit := !stalled && h.chosen(of, games)
		if audit { // the host may be killed while it stores: the audit is due before, and the first game is stored first
			h.note(of, arena.AuditDue, "")
			p.Order = true
		}
		if audit && h.run.Hold() { // otherwise the run could end with these games, before the audit
			defer h.run.Release()
		}
		if h.run.Put(h.ctx, p, games) == nil && audit {
			h.enter(of)
		}
	}
	return err
}

// verify reads the games of a pair and returns those of the jobs, in their order: all of them, or
// those up to one that stalled. The worker may have sent the other game of the pair too.
func (h *Host) verify(m *member, p *session.Pair, answer []byte) (games []*arena.Game, err error) {
	h.busy <- struct{}{} // waits only for other pairs to be verified
	defer func() { <-h.busy }()
	came, err := unpack(answer)
	if err != nil {
		return nil, err
	}
	start, err := tournament.Make(context.Background(), h.run.Plan, p.Jobs[0])
	if err != nil {
		return nil, err
	}
	for _, job := range p.Jobs {
		i := slices.IndexFunc(came, func(g *arena.Game) bool { return g.ID == job.ID })
		if i < 0 {
			return nil, fmt.Errorf("game %s was asked", job.ID)
		}
		g := came[i]
		if p.Audit == nil { // an audit is compared with verified games
			if err = match.Verify(h.run.Plan, job, start, g); err == nil {
				err = bound(g)
			}
			if err != nil {
				return nil, fmt.Errorf("game %.32s: %w", g.ID, err)
			}
		}
		g.Job = job
		g.Started = time.Now().Add(-time.Duration(g.Seconds * float64(time.Second))) // the worker's clock may be wrong
		g.By = &arena.By{Worker: m.name, Sandbox: m.Sandbox}
		if games = append(games, g); g.Source == arena.Stalled {
			break
		}
	}
	return games, nil
}
