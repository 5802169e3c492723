package net

import (
	"fmt"
	"math/bits"

	"thera/engine/game"
	"thera/engine/gyges/rules"
	"thera/engine/simd"
)

const (
	Words = 4         // of a row
	Width = 4 * Words // numbers of a row; the first half counts for the side to move
	Unit  = 8         // one hundredth of a clear advantage, in the units of rows
)

// The rows, kind by kind. Squares are those of the turned board; index 36 is the goal.
const (
	ends = rules.Squares + 1

	atPiece       = 0                             // value-1, square
	atMine        = atPiece + 3*rules.Squares     // where a move of the side to move may end
	atMinePiece   = atMine + rules.Squares        // on a piece
	atTheirs      = atMinePiece + rules.Squares   // where one of the other side may end
	atTheirsPiece = atTheirs + ends               // on a piece
	atLines       = atTheirsPiece + rules.Squares // the mover's active row, the opponent's

	// Rows is the number of rows.
	Rows = atLines + 36
)

// View is the input of the network: a board, the side to move, and where the moves of either
// side may end if it is that side's turn.
type View struct {
	Board        rules.Board
	Seat         game.Seat
	Mine, Theirs rules.Reach
}

// Look returns the view of a position in which the side to move cannot win at once.
func Look(gen *rules.Generator, b rules.Board, seat game.Seat) View {
	v := View{Board: b, Seat: seat}
	for i, reach := range []*rules.Reach{&v.Mine, &v.Theirs} {
		side := seat
		if i == 1 {
			side = seat.Other()
		}
		for active := b.Active(side); active != 0; active &= active - 1 {
			reach.Add(gen.Ends(b, bits.TrailingZeros64(active), side, 0))
		}
	}
	return v
}

const board = uint64(1)<<rules.Squares - 1

// sets are the squares of a view on the turned board, by kind.
type sets struct {
	pieces       [3]uint64
	mine, theirs rules.Reach
	lines        int
}

func (v *View) sets() (s sets) {
	turn := func(set uint64) uint64 { return set & board }
	s.lines = v.Board.ActiveRow(game.First)*6 + v.Board.ActiveRow(game.Second)
	if v.Seat == game.Second {
		turn = func(set uint64) uint64 { return bits.Reverse64(set) >> (64 - rules.Squares) }
		s.lines = (5-v.Board.ActiveRow(game.Second))*6 + 5 - v.Board.ActiveRow(game.First)
	}
	for i := range s.pieces {
		s.pieces[i] = turn(v.Board.Pieces(i + 1))
	}
	s.mine = rules.Reach{Empty: turn(v.Mine.Empty), Pieces: turn(v.Mine.Pieces)}
	s.theirs = rules.Reach{Empty: turn(v.Theirs.Empty), Pieces: turn(v.Theirs.Pieces)}
	if v.Theirs.Empty&^board != 0 {
		s.theirs.Empty |= 1 << rules.Squares
	}
	return s
}

// AppendFeatures appends the rows whose sum is the view.
func (v *View) AppendFeatures(list []uint16) []uint16 {
	s := v.sets()
	add := func(at int, set uint64) {
		for ; set != 0; set &= set - 1 {
			list = append(list, uint16(at+bits.TrailingZeros64(set)))
		}
	}
	for i, set := range s.pieces {
		add(atPiece+i*rules.Squares, set)
	}
	add(atMine, s.mine.Empty)
	add(atMinePiece, s.mine.Pieces)
	add(atTheirs, s.theirs.Empty)
	add(atTheirsPiece, s.theirs.Pieces)
	return append(list, uint16(atLines+s.lines))
}

// Mirrored is the row of the same feature on the board whose columns are in the opposite
// order.
func Mirrored(row int) int {
	at := row
	for _, from := range []int{atLines, atTheirsPiece, atTheirs, atMinePiece, atMine, atPiece} {
		if row >= from {
			at = row - from
			break
		}
	}
	if row >= atLines || row == atTheirs+rules.Squares {
		return row
	}
	column := at % 6
	return row - column + 5 - column
}

// row is the numbers of one feature.
type row [Words]uint64

// Net is a network with its weights. It does not change after New and may be shared.
type Net struct{ rows [Rows]row }

// New returns the network with these weights. There must be Rows times Width.
func New(weights []int16) (*Net, error) {
	if len(weights) != Rows*Width {
		return nil, fmt.Errorf("%d weights, want %d", len(weights), Rows*Width)
	}
	n := new(Net)
	for i, w := range weights {
		n.rows[i/Width][i%Width/4] += simd.Element(w, i%4)
	}
	return n, nil
}

// Evaluate is the value of the view for the side to move, in hundredths of a clear
// advantage.
func (n *Net) Evaluate(v *View) int {
	s := v.sets()
	a, b, c, d := n.rows[atLines+s.lines].words()
	add := func(rows []row, set uint64) {
		for ; set != 0; set &= set - 1 {
			r := &rows[bits.TrailingZeros64(set)&63]
			a, b, c, d = a+r[0], b+r[1], c+r[2], d+r[3]
		}
	}
	for i, set := range s.pieces {
		add(n.rows[atPiece+i*rules.Squares:], set)
	}
	add(n.rows[atMine:], s.mine.Empty)
	add(n.rows[atMinePiece:], s.mine.Pieces)
	add(n.rows[atTheirs:], s.theirs.Empty)
	add(n.rows[atTheirsPiece:], s.theirs.Pieces)
	return simd.Score(simd.Positive(a)+simd.Positive(b)-simd.Positive(c)-simd.Positive(d)) / Unit
}

func (r *row) words() (a, b, c, d uint64) { return r[0], r[1], r[2], r[3] }
