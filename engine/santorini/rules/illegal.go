package rules

import (
	"fmt"
	"math/bits"
)

// BrokenRule says which rule the claimed next state q breaks, and returns the
// legal next state most like it. l holds the turns of p.
func BrokenRule(l *MoveList, p, q *State) (rule string, near State) {
	if len(l.Moves) == 0 {
		return "no legal move: the only turn is the one that says so", p.AfterBlocked()
	}
	best := 1 << 30
	for _, m := range l.Moves {
		child := l.Child(p, m)
		if d := Distance(&child, q); d < best {
			best, near = d, child
		}
	}
	return violation(p, q, &near), near
}

// Distance counts the differences between two states.
func Distance(a, b *State) int {
	d := 0
	for k := range a.Above {
		d += 2 * bits.OnesCount32(a.Above[k]^b.Above[k])
	}
	for i := range a.Workers {
		d += 3 * bits.OnesCount32(a.Workers[i]^b.Workers[i])
		d += min(bits.OnesCount32(a.GodState[i]^b.GodState[i]), 2)
		if a.Gods[i] != b.Gods[i] {
			d += 100
		}
	}
	if a.Mover != b.Mover {
		d++
	}
	if a.Winner != b.Winner {
		d++
	}
	return d
}

// violation names the rule that q breaks in simple cases, and otherwise how it
// differs from near.
func violation(p, q, near *State) string {
	me := p.Mover & 1
	same := *q
	same.Mover, same.Winner = near.Mover, near.Winner
	switch {
	case q.Gods != p.Gods:
		return "the gods have changed"
	case same == *near && q.Winner != near.Winner:
		return fmt.Sprintf("the winner is marked as %d, and this turn gives %d", q.Winner, near.Winner)
	case same == *near:
		return fmt.Sprintf("side to move: %d, but player %d moves next", q.Mover+1, near.Mover+1)
	case q.Workers == p.Workers && q.Above == p.Above && !p.Placing():
		return "nothing has changed: passing is not allowed"
	}
	for s := range Squares {
		if q.Height(s) != near.Height(s) {
			return fmt.Sprintf("%s is %d high and was %d, which is no turn of %s", SquareName(s), q.Height(s), p.Height(s), p.Gods[me])
		}
	}
	for i := range 2 {
		if q.Workers[i] != near.Workers[i] {
			return fmt.Sprintf("player %d's workers stand where no turn of %s leads", i+1, p.Gods[me])
		}
		if q.GodState[i] != near.GodState[i] {
			return fmt.Sprintf("the state of %s is not what this turn leaves", p.Gods[i])
		}
	}
	return "not a turn of " + p.Gods[me].String()
}
