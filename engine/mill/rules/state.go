package rules

import "thera/engine/game"

// Side is the colour of a player.
type Side uint8

// White places first.
const (
	White Side = 0
	Black Side = 1
)

// Seat returns the seat of the side: white is the first.
func (c Side) Seat() game.Seat { return game.Seat(c + 1) }

// Action is what the side to move has to do.
type Action uint8

// The actions.
const (
	MoveMan   Action = iota // place a man, or slide one when the hand is empty
	RemoveMan               // remove a man of the opponent: a mill was just closed
	Won                     // nothing: the opponent has fewer than three men left
)

// State is a position without its history: a small value that search and
// counting copy.
type State struct {
	Men    [2]Set   // on the board, by side
	Hand   [2]uint8 // men still to be placed, by side
	Turn   Side
	Action Action
}

// Mine returns the men on the board of the side to move.
func (s *State) Mine() Set { return s.Men[s.Turn] }

// Theirs returns the men on the board of the opponent.
func (s *State) Theirs() Set { return s.Men[s.Turn^1] }

// Empty returns the empty points.
func (s *State) Empty() Set { return AllPoints &^ (s.Men[0] | s.Men[1]) }

// Placing reports whether the side to move has men in hand.
func (s *State) Placing() bool { return s.Hand[s.Turn] > 0 }

// Left returns the number of men of a side, those in hand included.
func (s *State) Left(c Side) int { return s.Men[c].Len() + int(s.Hand[c]) }

// Flies reports whether the side to move, if its hand is empty, may move to any
// point.
func (s *State) Flies(r *Rules) bool { return r.Flying && s.Mine().Len() == 3 }

// Removable returns the opponent's men that may be removed: those outside
// mills, or all if all stand in mills.
func (s *State) Removable() Set {
	theirs := s.Theirs()
	if free := theirs &^ theirs.Milled(); free != 0 {
		return free
	}
	return theirs
}

// Play plays a legal move.
func (s *State) Play(m Move) {
	to := m.To()
	switch m.Kind() {
	case Placing:
		s.Hand[s.Turn]--
	case Sliding:
		s.Men[s.Turn] &^= m.From().Set()
	default:
		s.Men[s.Turn^1] &^= to.Set()
		if s.Left(s.Turn^1) < 3 {
			s.Action = Won
			return
		}
		s.Action = MoveMan
		s.Turn ^= 1
		return
	}
	closed := s.Men[s.Turn].Closes(to)
	s.Men[s.Turn] |= to.Set()
	if closed && s.Men[s.Turn^1] != 0 {
		s.Action = RemoveMan
		return
	}
	s.Turn ^= 1
}

// Moves appends the legal moves to list, in no particular order.
func (s *State) Moves(r *Rules, list []Move) []Move {
	switch {
	case s.Action == Won:
		return list
	case s.Action == RemoveMan:
		for set := s.Removable(); set != 0; set &= set - 1 {
			list = append(list, Remove(set.First()))
		}
		return list
	case s.Placing():
		for set := s.Empty(); set != 0; set &= set - 1 {
			list = append(list, Place(set.First()))
		}
		return list
	}
	empty, flies := s.Empty(), s.Flies(r)
	for men := s.Mine(); men != 0; men &= men - 1 {
		from := men.First()
		reach := empty
		if !flies {
			reach &= from.Neighbours()
		}
		for ; reach != 0; reach &= reach - 1 {
			list = append(list, Slide(from, reach.First()))
		}
	}
	return list
}

// Stuck reports whether the side to move has lost because no man can move.
func (s *State) Stuck(r *Rules) bool {
	return s.Action == MoveMan && !s.Placing() && s.Mine().Neighbours()&s.Empty() == 0 && !s.Flies(r)
}

// Legal reports whether m can be played.
func (s *State) Legal(r *Rules, m Move) bool {
	to := m.To().Set()
	switch m.Kind() {
	case Removing:
		return s.Action == RemoveMan && s.Removable()&to != 0
	case Placing:
		return s.Action == MoveMan && s.Placing() && s.Empty()&to != 0
	case Sliding:
		return s.Action == MoveMan && !s.Placing() && s.Empty()&to != 0 && s.Mine()&m.From().Set() != 0 &&
			(m.From().Neighbours()&to != 0 || s.Flies(r))
	}
	return false
}

// CanClose reports whether the next move of the side to move can close a mill.
func (s *State) CanClose(r *Rules) bool {
	men := s.Mine()
	closing := men.Closing() & s.Empty()
	if closing == 0 || s.Placing() {
		return closing != 0
	}
	flies := s.Flies(r)
	for ; closing != 0; closing &= closing - 1 {
		to := closing.First()
		from := men
		if !flies {
			from &= to.Neighbours()
		}
		a, b := to.Partners()
		if men&a == a && from&^a != 0 || men&b == b && from&^b != 0 {
			return true
		}
	}
	return false
}
