package match

import (
	"time"

	"thera/arena"
	"thera/arena/player"
	"thera/arena/proc"
	"thera/engine/game"
)

// clock has the time that a side has used and has left.
type clock struct {
	made    int           // number of moves in the period
	left    time.Duration // under Clock
	stretch time.Duration // wall time of the moves of this turn so far
	cpu     time.Duration
}

// allowed returns how long the next action may take, by the clock and in CPU time, without the grace.
// 0 means no limit. The result is at least least.
func (c *clock) allowed(l *arena.Limit, least time.Duration) (wall, cpu time.Duration) {
	switch {
	case l.Move > 0:
		wall = rest(l.Move, c.stretch)
	case l.Clock > 0:
		wall = c.left
	default:
		wall = l.Longest()
	}
	if l.CPU > 0 {
		cpu = max(rest(l.CPU, c.cpu), least)
	}
	return max(wall, least), cpu
}

// budget returns the limits that the engine of seat is asked to keep and those that the arena
// enforces. info is what the engine announced.
func (m *Match) budget(seat game.Seat, info game.Info) (game.Ask, player.Limits) {
	l, used := &m.limits[seat.Index()], &m.clocks[seat.Index()]
	wall, cpu := used.allowed(l, info.MinMove)
	ask := game.Ask{History: m.history, Depth: l.Depth, Nodes: l.Nodes}
	out := player.Limits{Soft: wall, Hard: wall + l.Grace}
	switch {
	case l.Move > 0:
		ask.Time = rest(l.Move, used.stretch)
	case l.Clock > 0:
		for s := range m.limits {
			c, l := &m.clocks[s], &m.limits[s]
			ask.Clock.Left[s], ask.Clock.Increment[s] = c.left, l.Increment
			if l.Period > 0 {
				ask.Clock.ToGo[s] = l.Period - c.made
			}
		}
		if !info.Limits.Clock {
			ask.Time = slice(used.left, l.Increment, ask.Clock.Parts(seat, 25))
			out.Soft = max(ask.Time, info.MinMove)
		}
	case l.CPU > 0:
		ask.CPU = rest(l.CPU, used.cpu)
		out.SoftCPU, out.HardCPU = cpu, cpu+l.Grace
		out.Idle = max(4*cpu, time.Second) + l.Grace
		if proc.Unenforced != "" { // CPU time cannot be enforced, so the wall time must do
			out.Soft, out.Hard = cpu, cpu+l.Grace
		}
	}
	return ask, out
}

// rest returns what is left of a turn's time. Another action of the turn, such as a removal after a
// move, gets at least an eighth of the time, however long the earlier actions took.
func rest(turn, used time.Duration) time.Duration {
	return max(turn-used, turn/8, time.Millisecond)
}

// slice returns the time for one move of an engine that knows no clock: what is left, divided by
// parts, and most of the increment.
func slice(left, increment time.Duration, parts int) time.Duration {
	const margin = 10 * time.Millisecond // for the round trip
	share := left/time.Duration(parts) + increment*4/5
	return max(min(share, left-margin), time.Millisecond)
}

// charge subtracts the time of a move. If again is set, the same seat moves next and its turn goes on.
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
	c.stretch, c.cpu = c.stretch+wall, c.cpu+cpu
	if !again {
		c.stretch, c.cpu = 0, 0
	}
}
