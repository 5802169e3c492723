package pyrat

import "math/bits"

// state is what changes in a game but the cheese. It is a value: a search
// copies it.
type state struct {
	at    [2]int16 // the origin while stuck
	dest  [2]int16 // at, or where the mud ends
	timer [2]int16 // turns left in mud
	score [2]int32 // in half points
	turn  int32
	left  int32 // pieces of cheese
}

// cheeses is a set of cells.
type cheeses []uint64

func newCheeses(cells int) cheeses { return make(cheeses, (cells+63)/64) }

func (c cheeses) has(cell int16) bool { return c[cell>>6]>>(uint(cell)&63)&1 != 0 }

func (c cheeses) add(cell int16) { c[cell>>6] |= 1 << (uint(cell) & 63) }

func (c cheeses) remove(cell int16) { c[cell>>6] &^= 1 << (uint(cell) & 63) }

func (c cheeses) count() int {
	n := 0
	for _, word := range c {
		n += bits.OnesCount64(word)
	}
	return n
}

// eaten is where cheese was taken in a turn, -1 for nowhere. Both are the same
// cell where it was shared.
type eaten [2]int16

var nothing = eaten{-1, -1}

// step plays one turn: both moves from the old state, then the cheese. The
// cheese is not removed from c: what was taken is returned.
func (s *state) step(m *maze, c cheeses, rat, python uint8) eaten {
	s.walk(m, 0, rat)
	s.walk(m, 1, python)
	s.turn++
	took := nothing
	if s.timer[0] == 0 && c.has(s.at[0]) {
		took[0] = s.at[0]
	}
	if s.timer[1] == 0 && c.has(s.at[1]) {
		took[1] = s.at[1]
	}
	if took == nothing {
		return took
	}
	if took[0] == took[1] {
		s.score[0]++
		s.score[1]++
		s.left--
		return took
	}
	for i, cell := range took {
		if cell >= 0 {
			s.score[i] += 2
			s.left--
		}
	}
	return took
}

// walk moves one player. Mud n is entered on turn t and left, with the right
// to collect, on turn t+n; requests in between are ignored.
func (s *state) walk(m *maze, i int, move uint8) {
	if s.timer[i] > 0 {
		s.timer[i]--
		if s.timer[i] == 0 {
			s.at[i] = s.dest[i]
		}
		return
	}
	way := int(s.at[i])*moves + int(move)
	to := m.next[way]
	if to < 0 {
		return
	}
	s.dest[i] = to
	if s.timer[i] = m.mud[way]; s.timer[i] == 0 {
		s.at[i] = to
	}
}

// executed is what a request comes to: stay where a wall, the border or mud
// keeps the player in place.
func (s *state) executed(m *maze, i int, move uint8) uint8 {
	if s.timer[i] > 0 || m.next[int(s.at[i])*moves+int(move)] < 0 {
		return stay
	}
	return move
}

// finish is how a game ended.
type finish uint8

const (
	running finish = iota
	byMajority
	byCheese
	byTurns
)

var reasons = [...]string{"", "majority", "all_cheese", "max_turns"}

// finished says how the game is over; total is all cheese in half points.
func (s *state) finished(total, maxTurns int32) finish {
	switch {
	case 2*s.score[0] > total || 2*s.score[1] > total:
		return byMajority
	case s.left == 0:
		return byCheese
	case s.turn >= maxTurns:
		return byTurns
	}
	return running
}
