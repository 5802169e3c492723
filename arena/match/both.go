package match

import (
	"context"
	"time"

	"thera/arena/conn"
	"thera/arena/player"
	"thera/engine/game"
)

// together is how long both engines of a turn are waited for by one goroutine.
// Engines that answer at once cost no switch between two then; for all others
// it is nothing.
const together = 200 * time.Microsecond

// asking is one side of a turn in which both move.
type asking struct {
	ask     game.Ask
	limits  conn.Limits
	asked   bool // told and asked; only the answer is missing
	settled bool // there is an answer, or an error
	err     error
}

// askBoth asks both engines at once, each under its own clock. The faults are
// nil where there is none.
func (m *Match) askBoth(ctx context.Context, answers *[2]player.Answer) *faults {
	var sides [2]asking
	for i, p := range m.players {
		s := &sides[i]
		s.ask, s.limits = m.budget(game.Seat(i + 1))
		s.asked, s.err = p.Prompt(ctx, s.ask, s.limits)
		s.settled = s.err != nil
	}
	if sides[0].asked && sides[1].asked {
		m.hearBoth(ctx, &sides, answers)
	}
	rest := func(seat game.Seat) error {
		i := seat.Index()
		s := &sides[i]
		if s.settled {
			return nil
		}
		if !s.asked {
			answers[i], s.err = m.ask(ctx, seat)
			return nil
		}
		answers[i], s.err = m.players[i].Go(ctx, s.ask, s.limits)
		return nil
	}
	_ = m.each(!sides[0].settled && !sides[1].settled, rest)
	if sides[0].err == nil && sides[1].err == nil {
		return nil
	}
	return &faults{sides[0].err, sides[1].err}
}

// hearBoth takes answers that come soon, from whichever engine is first.
func (m *Match) hearBoth(ctx context.Context, sides *[2]asking, answers *[2]player.Answer) {
	for end := time.Now().Add(together); ; {
		var open [2]*player.Player
		for i := range sides {
			if !sides[i].settled {
				open[i] = m.players[i]
			}
		}
		wait := time.Until(end)
		if open == ([2]*player.Player{}) || wait <= 0 {
			return
		}
		player.Await(open[0], open[1], wait)
		for i, p := range open {
			if s := &sides[i]; p != nil {
				answers[i], s.settled, s.err = p.Heard(ctx, s.ask)
			}
		}
	}
}
