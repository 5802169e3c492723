package gyges

import (
	"fmt"
	"strconv"
	"strings"

	"thera/engine/protocol"
)

// Move is a triple: start, end and drop, six bits each; drop is noDrop where
// nothing is replaced. Paths are not part of a move: equal triples are one
// move.
type Move uint32

func newMove(start, end, drop int) Move { return Move(start | end<<6 | drop<<12) }

func (m Move) start() int { return int(m & 63) }
func (m Move) end() int   { return int(m >> 6 & 63) }
func (m Move) drop() int  { return int(m >> 12 & 63) }

// replaces says whether the move ends on a piece and drops it elsewhere.
func (m Move) replaces() bool { return m.drop() != noDrop }

// rotate is the same move on the rotated board.
func (m Move) rotate() Move {
	return newMove(rotateSquare(m.start()), rotateSquare(m.end()), rotateSquare(m.drop()))
}

// String is "start|end" or "start|end|drop".
func (m Move) String() string { return string(m.append(nil)) }

func (m Move) append(text []byte) []byte {
	text = strconv.AppendInt(text, int64(m.start()), 10)
	text = strconv.AppendInt(append(text, '|'), int64(m.end()), 10)
	if m.replaces() {
		text = strconv.AppendInt(append(text, '|'), int64(m.drop()), 10)
	}
	return text
}

// ParseMove reads a move's text. Each number is written without leading
// zeros; start and drop are squares, end is a square or a goal. Whether the
// rules allow it is not asked.
func ParseMove(text string) (Move, error) {
	parts := strings.SplitN(text, "|", 4)
	if len(parts) != 2 && len(parts) != 3 {
		return 0, fmt.Errorf("want start|end or start|end|drop")
	}
	var n [3]int
	n[2] = noDrop
	for i, part := range parts {
		name, limit := [3]string{"start", "end", "drop"}[i], [3]int{squares - 1, goal2, squares - 1}[i]
		value, ok := parseSquare(part)
		if !ok {
			return 0, fmt.Errorf("%s %q is not a number", name, protocol.Clip(part))
		}
		if value > limit {
			return 0, fmt.Errorf("%s %d is outside 0-%d", name, value, limit)
		}
		n[i] = value
	}
	return newMove(n[0], n[1], n[2]), nil
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

// after is the board that a legal move leaves. A piece that enters a goal is
// gone.
func (b Board) after(m Move) Board {
	value := b.at(m.start())
	b.clear(m.start())
	if m.replaces() {
		replaced := b.at(m.end())
		b.clear(m.end())
		b.put(m.drop(), replaced)
	}
	if m.end() < squares {
		b.put(m.end(), value)
	}
	return b
}

// touches says whether the move lifts, puts or drops a piece on one of these
// squares.
func (m Move) touches(set uint64) bool {
	changed := uint64(1)<<m.start() | 1<<m.end()
	if m.replaces() {
		changed |= 1 << m.drop()
	}
	return changed&set != 0
}
