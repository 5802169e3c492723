// Package rules has the rules of Gyges: boards, moves, the move generator, and
// the number of move sequences. It knows no history, so repetition and the ply
// cap are not here.
package rules

import (
	"fmt"
	"math/bits"
	"strings"

	"thera/engine/game"
	"thera/engine/protocol"
)

// The squares are numbered 6*row + column, and row 0 is player 1's home row. The
// goals follow. A set of squares is a bitboard of these numbers.
const (
	Squares = 36
	Goal1   = 36 // entered by player 2
	Goal2   = 37 // entered by player 1
	NoDrop  = 63 // the drop of a move that replaces nothing

	fullBoard = uint64(1)<<Squares - 1
)

// Board is the twelve neutral pieces as two bitboards: the value of a piece is
// its bit in lo plus twice its bit in hi. After a goal move there are eleven.
type Board struct{ lo, hi uint64 }

// The layouts that the protocol names.
const (
	LayoutStart = "321123/000000/000000/000000/000000/321123"
	LayoutBench = "202110/000330/000000/000200/000100/030123"
	LayoutTest  = "002130/300300/021100/002000/000200/030100"
)

// NamedLayout returns the text of the layouts start, bench and test.
func NamedLayout(name string) (text string, ok bool) {
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

// Occupied is the set of squares that hold a piece.
func (b Board) Occupied() uint64 { return b.lo | b.hi }

// Pieces is the set of squares that hold a piece of that value, 1 to 3.
func (b Board) Pieces(value int) uint64 {
	switch value {
	case 1:
		return b.lo &^ b.hi
	case 2:
		return b.hi &^ b.lo
	}
	return b.lo & b.hi
}

// At is the value of the piece on sq, 0 for an empty square.
func (b Board) At(sq int) int {
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

// Rotate turns the board by 180 degrees: square i becomes 35-i.
func (b Board) Rotate() Board {
	const shift = 64 - Squares
	return Board{bits.Reverse64(b.lo) >> shift, bits.Reverse64(b.hi) >> shift}
}

// rotateSquare is the square or goal on the rotated board.
func rotateSquare(sq int) int {
	switch {
	case sq < Squares:
		return Squares - 1 - sq
	case sq == Goal1:
		return Goal2
	case sq == Goal2:
		return Goal1
	}
	return sq
}

// pieces counts the pieces of each value, at index value.
func (b Board) pieces() [4]int {
	return [4]int{
		1: bits.OnesCount64(b.Pieces(1)), 2: bits.OnesCount64(b.Pieces(2)), 3: bits.OnesCount64(b.Pieces(3)),
	}
}

// ActiveRow is the row whose pieces seat may move: the lowest row with a piece
// for the first seat, the highest for the second.
func (b Board) ActiveRow(seat game.Seat) int {
	if seat == game.First {
		return bits.TrailingZeros64(b.Occupied()) / 6
	}
	return (63 - bits.LeadingZeros64(b.Occupied())) / 6
}

// Active is the set of pieces that seat may move.
func (b Board) Active(seat game.Seat) uint64 {
	return b.Occupied() & (0x3f << (6 * b.ActiveRow(seat)))
}

// DropZone is the set of squares, empty or not, where seat may drop: those not
// behind the active row of its opponent.
func (b Board) DropZone(seat game.Seat) uint64 {
	row := b.ActiveRow(seat.Other())
	if seat == game.First {
		return 1<<(6*row+6) - 1
	}
	return fullBoard &^ (1<<(6*row) - 1)
}

// String is the layout: six rows separated by slashes, row 0 first.
func (b Board) String() string {
	text := make([]byte, 0, Squares+5)
	for sq := range Squares {
		if sq > 0 && sq%6 == 0 {
			text = append(text, '/')
		}
		text = append(text, byte('0'+b.At(sq)))
	}
	return string(text)
}

// ParseBoard reads a layout with that number of pieces: twelve, or eleven after
// a goal move, at most four of a value. The error names row and column, counted
// from 1.
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
