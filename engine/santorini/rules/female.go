package rules

import "fmt"

// The state of selene and hippolyta is the square of their female worker. It
// follows her when she moves or is moved.

// placeFemale places two workers, of which either may be the female one.
func placeFemale(g *generator) {
	g.placeMore(*g.p, Board&^g.p.Occupied(), 2, func(q *State) bool {
		next := *q
		for w := q.Workers[g.me]; w != 0; w &= w - 1 {
			s := lowest(w)
			next.GodState[g.me] = uint32(s + 1)
			g.do(act(SetFemale, s))
			g.placed(&next)
			g.undo(1)
		}
		return false
	})
}

func checkFemale(p *State, me int) error {
	on := storedSquare(p.GodState[me])
	if on&^p.Workers[me] != 0 {
		return fmt.Errorf("the female worker is on %s, where none of the workers is", SquareName(lowest(on)))
	}
	return nil
}

// force moves the opponent's worker on from to to.
func (g *generator) force(q *State, from, to int) {
	q.force(g.them, g.foe.female, from, to)
}

// force moves a worker of side by force. female is whether its god has a female worker.
func (p *State) force(side uint8, female bool, from, to int) {
	p.Workers[side&1] ^= Bit(from) | Bit(to)
	if female && p.GodState[side&1] == uint32(from+1) {
		p.GodState[side&1] = uint32(to + 1)
	}
}

// remove takes the opponent's workers on set off the board.
func (g *generator) remove(q *State, set uint32) {
	q.Workers[g.them] &^= set
	if g.foe.female && storedSquare(q.GodState[g.them])&set != 0 {
		q.GodState[g.them] = 0
	}
}
