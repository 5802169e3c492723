package santorini

import "fmt"

// The female worker of selene and hippolyta: which of the two she is stands in
// what the god keeps, and goes where she goes.

// femaleStarts places two workers, either of them the female one.
func femaleStarts(t *turns) {
	t.placeMore(*t.p, board&^t.p.occupied(), 2, func(q *state) bool {
		next := *q
		for w := q.workers[t.me]; w != 0; w &= w - 1 {
			s := lowest(w)
			next.power[t.me] = uint32(s + 1)
			t.do(act(SetFemale, s))
			t.placed(&next)
			t.undo(1)
		}
		return false
	})
}

func femaleCheck(p *state, me int) error {
	on := keptSquare(p.power[me])
	if on&^p.workers[me] != 0 {
		return fmt.Errorf("the female worker is on %s, where none of the workers is", squareName(lowest(on)))
	}
	return nil
}

// force moves a worker of the opponent.
func (t *turns) force(q *state, from, to int) {
	q.workers[t.them] ^= bit(from) | bit(to)
	if t.foe.female && q.power[t.them] == uint32(from+1) {
		q.power[t.them] = uint32(to + 1)
	}
}

// remove takes workers of the opponent off the board.
func (t *turns) remove(q *state, set uint32) {
	q.workers[t.them] &^= set
	if t.foe.female && keptSquare(q.power[t.them])&set != 0 {
		q.power[t.them] = 0
	}
}
