package gyges

import (
	"fmt"
	"math/bits"
	"strings"

	"thera/engine/game"
	"thera/engine/protocol"
)

// Squares are numbered 6*row + column, row 0 being player 1's home; the two
// goals follow. A set of squares is a uint64 with those bits.
const (
	squares = 36
	goal1   = 36 // entered by player 2
	goal2   = 37 // entered by player 1
	noDrop  = 63

	fullBoard = uint64(1)<<squares - 1
)

// Board is twelve neutral pieces, as two bit planes: a piece's value is its
// bit in lo plus twice its bit in hi. After a goal move it holds eleven.
type Board struct{ lo, hi uint64 }

// The layouts that the protocol names.
const (
	LayoutStart = "321123/000000/000000/000000/000000/321123"
	LayoutBench = "202110/000330/000000/000200/000100/030123"
	LayoutTest  = "002130/300300/021100/002000/000200/030100"
)

// layouts maps a named layout to its text.
func layoutNamed(name string) (text string, ok bool) {
	switch name {
	case "start":
		return LayoutStart, true
	case "bench":
		return LayoutBench, true
	case "test":
		return LayoutTest, true
	}
	return "", false
}

// occupied is the set of squares that hold a piece.
func (b Board) occupied() uint64 { return b.lo | b.hi }

// at is the value of the piece on sq, 0 where there is none.
func (b Board) at(sq int) int {
	return int(b.lo>>(uint(sq)&63)&1 | b.hi>>(uint(sq)&63)&1<<1)
}

func (b *Board) clear(sq int) {
	b.lo &^= 1 << sq
	b.hi &^= 1 << sq
}

func (b *Board) put(sq, value int) {
	b.lo |= uint64(value&1) << sq
	b.hi |= uint64(value>>1) << sq
}

// rotate turns the board by 180 degrees: square i becomes 35-i.
func (b Board) rotate() Board {
	const shift = 64 - squares
	return Board{bits.Reverse64(b.lo) >> shift, bits.Reverse64(b.hi) >> shift}
}

// rotateSquare is where rotate takes a square or goal.
func rotateSquare(sq int) int {
	switch {
	case sq < squares:
		return squares - 1 - sq
	case sq == goal1:
		return goal2
	case sq == goal2:
		return goal1
	}
	return sq
}

// pieces counts the pieces of each value, at index value.
func (b Board) pieces() [4]int {
	return [4]int{
		1: bits.OnesCount64(b.lo &^ b.hi), 2: bits.OnesCount64(b.hi &^ b.lo),
		3: bits.OnesCount64(b.lo & b.hi),
	}
}

// activeRow is the row whose pieces seat may move: the lowest that is not
// empty for the first seat, the highest for the second.
func (b Board) activeRow(seat game.Seat) int {
	if seat == game.First {
		return bits.TrailingZeros64(b.occupied()) / 6
	}
	return (63 - bits.LeadingZeros64(b.occupied())) / 6
}

// active is the set of pieces that seat may move.
func (b Board) active(seat game.Seat) uint64 {
	return b.occupied() & (0x3f << (6 * b.activeRow(seat)))
}

// dropZone is the set of squares, empty or not, that are not behind the
// active line of seat's opponent.
func (b Board) dropZone(seat game.Seat) uint64 {
	row := b.activeRow(seat.Other())
	if seat == game.First {
		return 1<<(6*row+6) - 1
	}
	return fullBoard &^ (1<<(6*row) - 1)
}

// String is the layout: six rows, row 0 first, parted by slashes.
func (b Board) String() string {
	text := make([]byte, 0, squares+5)
	for sq := range squares {
		if sq > 0 && sq%6 == 0 {
			text = append(text, '/')
		}
		text = append(text, byte('0'+b.at(sq)))
	}
	return string(text)
}

// ParseBoard reads a layout of six rows with so many pieces in all; twelve
// are four of each value, eleven are a goal move's rest. The error names row
// and column, both counted from 1.
func ParseBoard(text string, pieces int) (Board, error) {
	var b Board
	rows := strings.Split(text, "/")
	if len(rows) != 6 {
		return b, fmt.Errorf("layout %q: %d rows, want 6", protocol.Clip(text), len(rows))
	}
	for r, row := range rows {
		if len(row) != 6 {
			return b, fmt.Errorf("layout row %d %q: %d squares, want 6", r+1, protocol.Clip(row), len(row))
		}
		for c := range row {
			if row[c] < '0' || row[c] > '3' {
				return b, fmt.Errorf("layout row %d column %d: %q is not 0, 1, 2 or 3", r+1, c+1, row[c:c+1])
			}
			b.put(6*r+c, int(row[c]-'0'))
		}
	}
	count := b.pieces()
	if n := count[1] + count[2] + count[3]; n != pieces {
		return b, fmt.Errorf("layout %s: %d pieces, want %d", text, n, pieces)
	}
	for value := 1; value <= 3; value++ {
		if count[value] > 4 {
			return b, fmt.Errorf("layout %s: %d pieces of value %d, want at most 4", text, count[value], value)
		}
	}
	return b, nil
}
