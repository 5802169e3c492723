package match

import (
	"context"
	"time"

	"thera/arena/player"
	"thera/engine/game"
)

// together is how long one goroutine waits for both engines of a turn. For
// engines that answer at once it saves a switch between two goroutines; for
// all others the time is negligible.
const together = 200 * time.Microsecond

// side is one side of a turn in which both move.
type side struct {
	settled bool // there is an answer, or an error
	err     error
}

// askBoth asks both engines before it waits for either, each on its own clock.
// The result is nil if there are no faults.
func (m *Match) askBoth(ctx context.Context, answers *[2]player.Answer) *faults {
	m.sides = [2]side{}
	for i, p := range m.players {
		p.FaceTogether(m.players[1-i])
		if err := p.Sync(ctx, m.line); err != nil {
			m.sides[i] = side{true, &unready{err}}
		}
	}
	for i, p := range m.players {
		if s := &m.sides[i]; !s.settled {
			ask, limits := m.budget(game.Seat(i+1), m.players[i].Info())
			m.counts.asked[i] = true
			s.err = p.Ask(ctx, ask, limits)
			s.settled = s.err != nil
		}
	}
	m.pollBoth(ctx, answers)
	for i, p := range m.players {
		if m.sides[i].settled && !m.sides[1-i].settled {
			p.Answered()
		}
	}
	if !m.sides[0].settled || !m.sides[1].settled {
		_ = m.each(!m.sides[0].settled && !m.sides[1].settled, func(seat game.Seat) error {
			i := seat.Index()
			if !m.sides[i].settled {
				answers[i], m.sides[i].err = m.players[i].Answer(ctx)
				m.players[i].Answered()
			}
			return nil
		})
	}
	if m.sides[0].err == nil && m.sides[1].err == nil {
		return nil
	}
	return &faults{m.sides[0].err, m.sides[1].err}
}

// pollBoth takes answers that arrive soon, from either engine.
func (m *Match) pollBoth(ctx context.Context, answers *[2]player.Answer) {
	for end := time.Now().Add(together); ; {
		var open [2]*player.Player
		for i := range m.sides {
			if !m.sides[i].settled {
				open[i] = m.players[i]
			}
		}
		wait := time.Until(end)
		if open == ([2]*player.Player{}) || wait <= 0 {
			return
		}
		player.Await(open[0], open[1], wait)
		for i, p := range open {
			if p != nil {
				s := &m.sides[i]
				answers[i], s.settled, s.err = p.Poll(ctx)
			}
		}
	}
}
