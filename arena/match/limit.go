package match

import (
	"time"

	"thera/arena"
	"thera/arena/player"
	"thera/arena/proc"
	"thera/engine/game"
)

// clock is the time that a side has used and has left.
type clock struct {
	made    int           // moves in the period
	left    time.Duration // under Clock
	stretch time.Duration // wall time of the moves of this turn so far
	cpu     time.Duration
}

// budget returns the limits that seat's engine, which announced info, is told and
// those that the arena enforces.
func (m *Match) budget(seat game.Seat, info game.Info) (game.Ask, player.Limits) {
	i := seat.Index()
	l, knows := &m.limits[i], info.Limits
	ask := game.Ask{Line: m.line}
	if m.opts.Watch != nil {
		ask.Watch = func(r game.SearchInfo) { m.opts.Watch(seat, r) }
	}
	out := player.Limits{Soft: l.Longest()}
	used := &m.counts.clocks[i]
	switch {
	case l.Move > 0:
		ask.Time = rest(l.Move, used.stretch)
		out.Soft = ask.Time
	case l.Clock > 0:
		for s := range m.limits {
			c, l := &m.counts.clocks[s], &m.limits[s]
			ask.Clock.Left[s], ask.Clock.Increment[s] = c.left, l.Increment
			if l.Period > 0 {
				ask.Clock.ToGo[s] = l.Period - c.made
			}
		}
		out.Soft, out.Hard = used.left, used.left+l.Grace
		if !knows.Clock {
			ask.Time = slice(used.left, l.Increment, ask.Clock.Parts(seat, 25))
			out.Soft = ask.Time
		}
	case l.CPU > 0:
		ask.CPU = rest(l.CPU, used.cpu)
		out.SoftCPU = max(ask.CPU, info.MinMove)
		out.HardCPU = out.SoftCPU + l.Grace
		out.Idle = max(4*out.SoftCPU, time.Second) + l.Grace
		if proc.Unenforced != "" { // the clock on the wall has to do
			out.Soft = out.SoftCPU
		}
	}
	out.Soft = max(out.Soft, info.MinMove)
	ask.Depth, ask.Nodes = l.Depth, l.Nodes
	if out.Hard == 0 {
		out.Hard = out.Soft + l.Grace
	}
	return ask, out
}

// rest is what is left of a turn's time. Another action of the turn, such as a removal
// after a move, gets an eighth of it, however long those before it took.
func rest(turn, used time.Duration) time.Duration {
	return max(turn-used, turn/8, time.Millisecond)
}

// slice is what one move gets if the engine knows no clock: one of so many parts of what
// is left, and most of the increment.
func slice(left, increment time.Duration, parts int) time.Duration {
	const margin = 10 * time.Millisecond // for the round trip
	share := left/time.Duration(parts) + increment*4/5
	return max(min(share, left-margin), time.Millisecond)
}

// charge books the time of a move. If again is set, the same seat moves next,
// and its turn goes on.
func (m *Match) charge(seat game.Seat, wall, cpu time.Duration, again bool) {
	m.counts.clocks[seat.Index()].charge(&m.limits[seat.Index()], wall, cpu, again)
}

func (c *clock) charge(l *arena.Limit, wall, cpu time.Duration, again bool) {
	if l.Clock > 0 {
		c.left = max(c.left-wall, 0)
		if !again {
			c.left += l.Increment
			if l.Period > 0 {
				if c.made = (c.made + 1) % l.Period; c.made == 0 {
					c.left += l.Clock
				}
			}
		}
	}
	if again {
		c.stretch += wall
		c.cpu += cpu
	} else {
		c.stretch, c.cpu = 0, 0
	}
}
