package rules

import "strings"

// Move is what a player asks for in a turn.
type Move uint8

// The moves, in the order of their letters.
const (
	Down Move = iota
	Left
	Right
	Stay
	Up

	NumMoves = 5
)

const letters = "DLRSU"

var moveNames = [NumMoves]string{"DOWN", "LEFT", "RIGHT", "STAY", "UP"}

// steps are the moves as (dx, dy); (0,0) is bottom left, up is y+1.
var steps = [NumMoves][2]int{{0, -1}, {-1, 0}, {1, 0}, {0, 0}, {0, 1}}

// String returns the move as the protocol spells it, such as UP.
func (m Move) String() string { return moveNames[m] }

// Letter returns the move as a turn spells it, such as U.
func (m Move) Letter() string { return letters[m : m+1] }

// Opposite returns the move that undoes m.
func (m Move) Opposite() Move { return [NumMoves]Move{Up, Right, Left, Stay, Down}[m] }

// ParseLetter reads what Letter writes.
func ParseLetter(text string) (Move, bool) {
	if len(text) != 1 {
		return 0, false
	}
	i := strings.IndexByte(letters, text[0])
	return Move(i), i >= 0
}

// ParseMove reads what String writes.
func ParseMove(text string) (Move, bool) {
	for move, name := range moveNames {
		if text == name {
			return Move(move), true
		}
	}
	return 0, false
}
