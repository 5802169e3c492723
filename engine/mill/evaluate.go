package mill

import "math/bits"

// Weights of the evaluation, in hundredths of a man.
const (
	manPoints      = 100
	threatPoints   = 14 // an empty point on which a mill could be closed
	mobilityPoints = 4  // a way to slide
	blockedPoints  = 6  // a man that cannot slide
	millPoints     = 5  // a man in a mill
	tempoPoints    = 6  // being to move
)

// evaluate is the heuristic value for the side to move. A removal that is due
// counts as made.
func (s *state) evaluate(mobility bool) int {
	me, you := s.turn, s.turn^1
	empty := s.empty()
	score := manPoints*(s.left(me)-s.left(you)) + tempoPoints
	if s.act == actRemove {
		score += manPoints
	}
	score += s.worth(me, empty, mobility) - s.worth(you, empty, mobility)
	return score
}

// worth is what stands well for one side.
func (s *state) worth(c side, empty uint32, mobility bool) int {
	men := s.men[c]
	score := threatPoints*bits.OnesCount32(threats(men)&empty) + millPoints*bits.OnesCount32(milled(men))
	if mobility {
		score += mobilityPoints * ways(men, empty)
		score -= blockedPoints * bits.OnesCount32(men&^around(empty))
	}
	return score
}

// ways counts the slides of men.
func ways(men, empty uint32) int {
	return bits.OnesCount32(turned(men)&empty) + bits.OnesCount32(back(men)&empty) +
		bits.OnesCount32(outward(men)&empty|inward(men)&empty)
}

// threats are the points that would complete a mill of men, occupied or not.
func threats(men uint32) uint32 {
	t, b := turned(men), back(men)
	set := t&b&middles | (t&turned(t)|b&back(b))&corners
	inner, middle, outer := men&0x55, men>>8&0x55, men>>16&0x55
	return set | middle&outer | (inner&outer)<<8 | (inner&middle)<<16
}

// closer reports whether the side to move can close a mill with its next
// action.
func (s *state) closer(r *rules) bool {
	men := s.mine()
	set := threats(men) & s.empty()
	if set == 0 || s.placing() {
		return set != 0
	}
	flies := s.flies(r)
	for ; set != 0; set &= set - 1 {
		to := lowest(set)
		reach := men
		if !flies {
			reach &= adjacent[to]
		}
		for _, pair := range partners[to] {
			if men&pair == pair && reach&^pair != 0 {
				return true
			}
		}
	}
	return false
}
