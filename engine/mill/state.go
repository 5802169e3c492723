package mill

import "math/bits"

// side is a colour's index; white is the first seat.
type side uint8

const (
	white side = 0
	black side = 1
)

// act is what the side to move has to do.
type act uint8

const (
	actMove   act = iota // place a man, or slide or fly one when the hand is empty
	actRemove            // take a man of the opponent: a mill was just closed
	actWon               // nothing: the removal left the opponent with fewer than three
)

// state is the concrete position that search and counting copy: the board,
// the hands and who must do what. History is not in it.
type state struct {
	men  [2]uint32
	hand [2]uint8
	turn side
	act  act
}

// startState is the empty board with nine men in each hand.
func startState() state { return state{hand: [2]uint8{9, 9}} }

// move is one action: placing on to, from-to, or removing from to.
type move uint16

const (
	noMove  move = 0
	placing      = 1 << 10
	sliding      = 2 << 10
	taking       = 3 << 10
)

func place(to point) move       { return placing | move(to) }
func slide(from, to point) move { return sliding | move(from)<<5 | move(to) }
func take(on point) move        { return taking | move(on) }
func (m move) kind() move       { return m &^ 0x3FF }
func (m move) from() point      { return point(m>>5) & 31 }
func (m move) to() point        { return point(m) & 31 }
func (s *state) mine() uint32   { return s.men[s.turn] }
func (s *state) theirs() uint32 { return s.men[s.turn^1] }
func (s *state) empty() uint32  { return everyPoint &^ (s.men[0] | s.men[1]) }
func (s *state) placing() bool  { return s.hand[s.turn] > 0 }
func (s *state) left(c side) int {
	return bits.OnesCount32(s.men[c]) + int(s.hand[c])
}

// flies reports whether the side to move, with an empty hand, may move to
// any point.
func (s *state) flies(r *rules) bool {
	return r.flying && bits.OnesCount32(s.mine()) == 3
}

// removable are the men of the opponent that a mill may take: those outside
// mills or, when all stand in mills, any.
func (s *state) removable() uint32 {
	theirs := s.theirs()
	if free := theirs &^ milled(theirs); free != 0 {
		return free
	}
	return theirs
}

// play applies a legal move.
func (s *state) play(m move) {
	to := m.to()
	switch m.kind() {
	case placing:
		s.hand[s.turn]--
	case sliding:
		s.men[s.turn] &^= m.from().bit()
	default:
		s.men[s.turn^1] &^= to.bit()
		if s.left(s.turn^1) < 3 {
			s.act = actWon
			return
		}
		s.act = actMove
		s.turn ^= 1
		return
	}
	closed := closes(s.men[s.turn], to)
	s.men[s.turn] |= to.bit()
	if closed && s.men[s.turn^1] != 0 {
		s.act = actRemove
		return
	}
	s.turn ^= 1
}

// moves appends the legal actions to list, in no promised order.
func (s *state) moves(r *rules, list []move) []move {
	switch {
	case s.act == actWon:
		return list
	case s.act == actRemove:
		for set := s.removable(); set != 0; set &= set - 1 {
			list = append(list, take(lowest(set)))
		}
		return list
	case s.placing():
		for set := s.empty(); set != 0; set &= set - 1 {
			list = append(list, place(lowest(set)))
		}
		return list
	}
	empty, flies := s.empty(), s.flies(r)
	for men := s.mine(); men != 0; men &= men - 1 {
		from := lowest(men)
		reach := empty
		if !flies {
			reach &= adjacent[from]
		}
		for ; reach != 0; reach &= reach - 1 {
			list = append(list, slide(from, lowest(reach)))
		}
	}
	return list
}

// stuck reports whether the side to move must move a man and cannot: it has
// lost.
func (s *state) stuck(r *rules) bool {
	return s.act == actMove && !s.placing() && around(s.mine())&s.empty() == 0 && !s.flies(r)
}

// legal reports whether m can be played, without listing moves.
func (s *state) legal(r *rules, m move) bool {
	to := m.to().bit()
	switch m.kind() {
	case taking:
		return s.act == actRemove && s.removable()&to != 0
	case placing:
		return s.act == actMove && s.placing() && s.empty()&to != 0
	case sliding:
		return s.act == actMove && !s.placing() && s.empty()&to != 0 && s.mine()&m.from().bit() != 0 &&
			(adjacent[m.from()]&to != 0 || s.flies(r))
	}
	return false
}
