package rules

import (
	"fmt"
	"strconv"
	"strings"

	"thera/engine/protocol"
)

// Move is a triple of start, end and drop, six bits each. The path is not part of
// a move: equal triples are equal moves.
type Move uint32

// NewMove returns the move of a triple.
func NewMove(start, end, drop int) Move { return Move(start | end<<6 | drop<<12) }

// Start is the square of the piece that moves.
func (m Move) Start() int { return int(m & 63) }

// End is the square or goal where it ends.
func (m Move) End() int { return int(m >> 6 & 63) }

// Drop is the square where a replaced piece is put, or NoDrop.
func (m Move) Drop() int { return int(m >> 12 & 63) }

// Replaces reports whether the move ends on a piece, which is dropped elsewhere.
func (m Move) Replaces() bool { return m.Drop() != NoDrop }

// Rotate is the same move on the rotated board.
func (m Move) Rotate() Move {
	return NewMove(rotateSquare(m.Start()), rotateSquare(m.End()), rotateSquare(m.Drop()))
}

// String is "start|end" or "start|end|drop".
func (m Move) String() string { return string(m.Append(nil)) }

// Append appends the text of String.
func (m Move) Append(text []byte) []byte {
	text = strconv.AppendInt(text, int64(m.Start()), 10)
	text = strconv.AppendInt(append(text, '|'), int64(m.End()), 10)
	if m.Replaces() {
		text = strconv.AppendInt(append(text, '|'), int64(m.Drop()), 10)
	}
	return text
}

// ParseMove reads the text of a move: numbers without leading zeros, start and
// drop squares, end a square or a goal. It does not check that the move is legal.
func ParseMove(text string) (Move, error) {
	parts := strings.SplitN(text, "|", 4)
	if len(parts) != 2 && len(parts) != 3 {
		return 0, fmt.Errorf("want start|end or start|end|drop")
	}
	var n [3]int
	n[2] = NoDrop
	for i, part := range parts {
		name, limit := [3]string{"start", "end", "drop"}[i], [3]int{Squares - 1, Goal2, Squares - 1}[i]
		value, ok := parseSquare(part)
		if !ok {
			return 0, fmt.Errorf("%s %q is not a number", name, protocol.Clip(part))
		}
		if value > limit {
			return 0, fmt.Errorf("%s %d is outside 0-%d", name, value, limit)
		}
		n[i] = value
	}
	return NewMove(n[0], n[1], n[2]), nil
}

// parseSquare reads up to three digits without a leading zero.
func parseSquare(text string) (int, bool) {
	if len(text) == 0 || len(text) > 3 || len(text) > 1 && text[0] == '0' {
		return 0, false
	}
	n := 0
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = 10*n + int(text[i]-'0')
	}
	return n, true
}

// After is the board after a legal move. A piece that enters a goal leaves the
// board.
func (b Board) After(m Move) Board {
	value := b.At(m.Start())
	b.clear(m.Start())
	if m.Replaces() {
		replaced := b.At(m.End())
		b.clear(m.End())
		b.put(m.Drop(), replaced)
	}
	if m.End() < Squares {
		b.put(m.End(), value)
	}
	return b
}

// Touches reports whether the move takes a piece from, or puts one on, a square
// of the set.
func (m Move) Touches(set uint64) bool {
	changed := uint64(1)<<m.Start() | 1<<m.End()
	if m.Replaces() {
		changed |= 1 << m.Drop()
	}
	return changed&set != 0
}
