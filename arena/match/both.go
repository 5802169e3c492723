package match

import (
	"context"

	"thera/engine/game"
)

// askBoth asks both engines before it waits for either, each on its own clock.
func (m *Match) askBoth(ctx context.Context, errs *faults) {
	for i, p := range m.players {
		p.Face(m.players[1-i], true)
		errs[i] = p.Sync(ctx, m.line)
	}
	for i, p := range m.players {
		if errs[i] == nil {
			ask, limits := m.budget(game.Seat(i+1), p.Info())
			m.asked[i] = true
			errs[i] = p.Ask(ctx, ask, limits)
		}
	}
	_ = m.each(true, func(seat game.Seat) error {
		i := seat.Index()
		if errs[i] == nil {
			m.answers[i], errs[i] = m.players[i].Answer(ctx)
		}
		m.players[i].Answered()
		return nil
	})
}
