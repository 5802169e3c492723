package player

import (
	"time"

	"thera/engine/mill/rules"
)

// Goal limits a search. Fields that are zero do not limit it.
type Goal struct {
	Depth    int
	Nodes    int64
	Time     time.Duration
	Infinite bool             // until the context ends
	Left     [2]time.Duration // clocks, by side
	Inc      [2]time.Duration // increments, by side
	ToGo     int              // moves until the clock of the side to move gets more time; 0: never
	Moves    []rules.Move     // the moves to consider; those that are illegal do not count
}

// usualParts is the number of moves among which the time left is divided.
const usualParts = 30

// budget returns the time to think: the goal's, a share of the clock, or, if
// nothing limits the search, that of the option MoveTime. Zero means no limit.
func (g *Goal) budget(turn rules.Side, moveTime int) time.Duration {
	switch {
	case g.Time > 0:
		return g.Time - min(g.Time/10, 5*time.Millisecond)
	case g.Left[turn] > 0:
		left := g.Left[turn]
		spare := max(left-50*time.Millisecond, left/10)
		parts := usualParts
		if g.ToGo > 0 {
			parts = min(parts, g.ToGo+1) // one more: the last move may need a removal
		}
		return max(time.Millisecond, min(left/time.Duration(parts)+g.Inc[turn]*8/10, spare))
	case g.Infinite || g.Depth > 0 || g.Nodes > 0:
		return 0
	}
	return time.Duration(moveTime*10*64+10) * time.Millisecond // the written protocol's formula
}
