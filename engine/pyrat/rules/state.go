package rules

import "strconv"

// State is all that changes in a game except the cheese. The first of each
// pair is the rat's, the second the python's. It is a value that a search
// copies.
type State struct {
	At    [2]Cell   // a player in mud is at the cell it left
	Dest  [2]Cell   // At, or where the mud ends
	Timer [2]int16  // turns left in mud
	Score [2]Points // cheese taken
	Turn  int32     // turns played
	Left  int32     // pieces of cheese left
}

// Points is a score in half points: cheese that both players take is shared.
type Points int32

// String returns the score in points, such as 2 or 2.5.
func (p Points) String() string { return strconv.FormatFloat(float64(p)/2, 'f', -1, 64) }

// Set is a set of small numbers: cells, or pieces of cheese by index.
type Set []uint64

// NewSet returns an empty set of numbers below n.
func NewSet(n int) Set { return make(Set, (n+63)/64) }

// Has reports whether n is in the set.
func (s Set) Has(n int) bool { return s[n>>6]>>(uint(n)&63)&1 != 0 }

// Add puts n into the set.
func (s Set) Add(n int) { s[n>>6] |= 1 << (uint(n) & 63) }

// Remove takes n out of the set.
func (s Set) Remove(n int) { s[n>>6] &^= 1 << (uint(n) & 63) }

// Step plays one turn: both moves from the old state, then the cheese. It
// returns the n cells where cheese was taken. They are still in the set: the
// caller removes them.
func (s *State) Step(m *Maze, cheese Set, rat, python Move) (taken [2]Cell, n int) {
	s.move(m, 0, rat)
	s.move(m, 1, python)
	s.Turn++
	ratTakes := s.Timer[0] == 0 && cheese.Has(int(s.At[0]))
	pythonTakes := s.Timer[1] == 0 && cheese.Has(int(s.At[1]))
	if !ratTakes && !pythonTakes {
		return taken, 0
	}
	if ratTakes && pythonTakes && s.At[0] == s.At[1] {
		s.Score[0]++
		s.Score[1]++
		s.Left--
		taken[0] = s.At[0]
		return taken, 1
	}
	for i, takes := range [2]bool{ratTakes, pythonTakes} {
		if takes {
			s.Score[i] += 2
			s.Left--
			taken[n] = s.At[i]
			n++
		}
	}
	return taken, n
}

// move moves one player. Mud of value n that is entered in turn t is left in
// turn t+n, with the right to take cheese; moves in between are ignored.
func (s *State) move(m *Maze, player int, move Move) {
	if s.Timer[player] > 0 {
		s.Timer[player]--
		if s.Timer[player] == 0 {
			s.At[player] = s.Dest[player]
		}
		return
	}
	at := way(s.At[player], move)
	to := m.next[at]
	if to < 0 {
		return
	}
	s.Dest[player] = to
	if s.Timer[player] = m.mud[at]; s.Timer[player] == 0 {
		s.At[player] = to
	}
}

// ending is how a game ended.
type ending uint8

const (
	running ending = iota
	majority
	allCheese
	maxTurns
)

var reasons = [...]string{"", "majority", "all_cheese", "max_turns"}

// ending says how the game ended, if it has.
func (b *Board) ending(s *State) ending {
	switch {
	case 2*s.Score[0] > b.Total || 2*s.Score[1] > b.Total:
		return majority
	case s.Left == 0:
		return allCheese
	case s.Turn >= b.MaxTurns:
		return maxTurns
	}
	return running
}

// Over reports whether the game has ended.
func (b *Board) Over(s *State) bool { return b.ending(s) != running }
