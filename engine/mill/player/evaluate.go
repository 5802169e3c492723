package player

import "thera/engine/mill/rules"

// Weights of the evaluation, in hundredths of a man.
const (
	manWeight      = 100
	closingWeight  = 14 // an empty point on which a mill can be closed, men in reach or not
	mobilityWeight = 4  // a slide
	blockedWeight  = 6  // a man that cannot slide
	milledWeight   = 5  // a man in a mill
	tempoWeight    = 6  // the move
)

// Hand is the evaluation by hand, for the side to move. A removal that is due counts as
// made.
func Hand(s *rules.State, mobility bool) int {
	me, you := s.Turn, s.Turn^1
	empty := s.Empty()
	score := manWeight*(s.Left(me)-s.Left(you)) + tempoWeight
	if s.Action == rules.RemoveMan {
		score += manWeight
	}
	return score + placement(s.Men[me], empty, mobility) - placement(s.Men[you], empty, mobility)
}

// placement returns the value of where the men of one side stand.
func placement(men, empty rules.Set, mobility bool) int {
	score := closingWeight*(men.Closing()&empty).Len() + milledWeight*men.Milled().Len()
	if mobility {
		score += mobilityWeight * men.Slides(empty)
		score -= blockedWeight * (men &^ empty.Neighbours()).Len()
	}
	return score
}
