package match

import (
	"time"

	"thera/arena/conn"
	"thera/engine/game"
)

// maxMove bounds a move that no clock bounds.
const maxMove = 60 * time.Second

// clock is the time that a side has used and has left.
type clock struct {
	left    time.Duration // under Clock
	stretch time.Duration // wall time of the moves of this turn so far
	cpu     time.Duration
}

// budget returns the limits that seat's engine, which announced info, is told and
// those that the arena enforces.
func (m *Match) budget(seat game.Seat, info game.Info) (game.Ask, conn.Limits) {
	i := seat.Index()
	l, knows := &m.limits[i], info.Limits
	ask := game.Ask{Line: m.line}
	if m.opts.Watch != nil {
		ask.Watch = func(r game.SearchInfo) { m.opts.Watch(seat, r) }
	}
	longest := l.MaxMove
	if longest == 0 {
		longest = maxMove
	}
	out := conn.Limits{Soft: longest}
	used := &m.counts.clocks[i]
	switch {
	case l.Move > 0:
		ask.Time = max(l.Move-used.stretch, time.Millisecond)
		out.Soft = ask.Time
	case l.Clock > 0:
		for s := range m.limits {
			ask.Clock.Left[s], ask.Clock.Increment[s] = m.counts.clocks[s].left, m.limits[s].Increment
		}
		out.Soft, out.Hard = used.left, used.left+l.Grace
		if !knows.Clock {
			ask.Time = slice(used.left, l.Increment)
			out.Soft = ask.Time
		}
	case l.CPU > 0:
		ask.CPU = max(l.CPU-used.cpu, time.Millisecond)
		out.SoftCPU = max(ask.CPU, info.MinMove)
		out.HardCPU = out.SoftCPU + l.Grace
	}
	out.Soft = max(out.Soft, info.MinMove)
	ask.Depth, ask.Nodes = l.Depth, l.Nodes
	if out.Hard == 0 {
		out.Hard = out.Soft + l.Grace
	}
	return ask, out
}

// slice is the part of a clock that one move gets if the engine knows no
// clock.
func slice(left, increment time.Duration) time.Duration {
	const margin = 10 * time.Millisecond // for the round trip
	share := left/25 + increment*4/5
	return max(min(share, left-margin), time.Millisecond)
}

// charge books the time of a move. If again is set, the same seat moves next,
// and its turn goes on.
func (m *Match) charge(seat game.Seat, wall, cpu time.Duration, again bool) {
	c, l := &m.counts.clocks[seat.Index()], &m.limits[seat.Index()]
	if l.Clock > 0 {
		c.left = max(c.left-wall, 0)
		if !again {
			c.left += l.Increment
		}
	}
	if again {
		c.stretch += wall
		c.cpu += cpu
	} else {
		c.stretch, c.cpu = 0, 0
	}
}
