package santorini

import (
	"fmt"
	"math/bits"
)

// wrongTurn says which rule a claimed next state breaks, and the legal state
// nearest to it. f holds p's turns.
func wrongTurn(f *frame, p, q *state) (rule string, near state) {
	if len(f.moves) == 0 {
		return "no legal move: the only turn is the one that says so", blocked(p, formV2)
	}
	best := 1 << 30
	for _, m := range f.moves {
		child := f.child(p, m)
		if d := distance(&child, q); d < best {
			best, near = d, child
		}
	}
	return brokenRule(p, q, &near), near
}

// distance counts what is different between two states.
func distance(a, b *state) int {
	d := 0
	for k := range a.up {
		d += 2 * bits.OnesCount32(a.up[k]^b.up[k])
	}
	for i := range a.workers {
		d += 3 * bits.OnesCount32(a.workers[i]^b.workers[i])
		d += min(bits.OnesCount32(a.power[i]^b.power[i]), 2)
		if a.god[i] != b.god[i] {
			d += 100
		}
	}
	if a.mover != b.mover {
		d++
	}
	if a.winner != b.winner {
		d++
	}
	return d
}

// brokenRule: the plain cases by their names, all others by what differs.
func brokenRule(p, q, near *state) string {
	me := p.mover & 1
	them := me ^ 1
	same := *q
	same.mover, same.winner = near.mover, near.winner
	switch {
	case q.god != p.god:
		return "the gods have changed"
	case same == *near && q.winner != near.winner:
		return fmt.Sprintf("winner: %s, but this turn gives %s", winnerName(q), winnerName(near))
	case same == *near:
		return fmt.Sprintf("side to move: %d, but player %d moves next", q.mover+1, near.mover+1)
	case q.workers == p.workers && q.up == p.up && !p.placing():
		return "nothing has changed: passing is not allowed"
	}
	moved, stayed := p.workers[me]&^q.workers[me], q.workers[me]&^p.workers[me]
	plain := gods[p.god[me]].fast != nil && !(gods[p.god[them]].limit != nil) && !p.placing()
	if plain {
		switch {
		case q.workers[them] != p.workers[them]:
			return fmt.Sprintf("player %d's workers have moved", them+1)
		case moved == 0 && stayed == 0:
			return "no worker has moved"
		case size(moved) > 1 || size(stayed) != 1:
			return "more than one worker has moved"
		}
		from, to := lowest(moved), lowest(stayed)
		if rule := wrongStep(p, from, to); rule != "" {
			return rule
		}
	}
	for s := range squares {
		if q.height(s) != near.height(s) {
			return fmt.Sprintf("%s is %d high and was %d, which is no turn of %s", squareName(s), q.height(s), p.height(s), p.god[me])
		}
	}
	for i := range 2 {
		if q.workers[i] != near.workers[i] {
			return fmt.Sprintf("player %d's workers stand where no turn of %s leads", i+1, p.god[me])
		}
		if q.power[i] != near.power[i] {
			return fmt.Sprintf("the state of %s is not what this turn leaves", p.god[i])
		}
	}
	return "not a turn of " + p.god[me].String()
}

// wrongStep is what is wrong with the way of one worker of a plain god.
func wrongStep(p *state, from, to int) string {
	far := max(abs(from/side-to/side), abs(from%side-to%side))
	reach := 1
	if p.god[p.mover&1] == artemis {
		reach = 2
	}
	name := squareName(from) + " to " + squareName(to)
	switch {
	case far > reach:
		return name + " is too far"
	case p.up[3]&bit(to) != 0:
		return squareName(to) + " is a dome"
	case reach == 1 && p.height(to) > p.height(from)+1:
		return fmt.Sprintf("%s climbs %d levels", name, p.height(to)-p.height(from))
	}
	_, ends := gods[p.god[p.mover&1]].fast.reach(p, from)
	wins, _ := gods[p.god[p.mover&1]].fast.reach(p, from)
	if wins&bit(to) != 0 {
		return name + " wins at once: nothing is built, the winner is marked"
	}
	if ends&bit(to) == 0 {
		return name + " cannot be reached"
	}
	return ""
}

func winnerName(p *state) string {
	if p.winner == 0 {
		return "nobody is marked"
	}
	return fmt.Sprintf("player %d is marked", p.winner)
}
