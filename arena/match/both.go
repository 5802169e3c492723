package match

import (
	"context"

	"thera/arena/player"
	"thera/engine/game"
)

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
	_ = m.each(true, func(seat game.Seat) error {
		i := seat.Index()
		if !m.sides[i].settled {
			answers[i], m.sides[i].err = m.players[i].Answer(ctx)
		}
		m.players[i].Answered()
		return nil
	})
	if m.sides[0].err == nil && m.sides[1].err == nil {
		return nil
	}
	return &faults{m.sides[0].err, m.sides[1].err}
}
