// Package net is a small neural network that evaluates positions of Mill.
//
// It reads weights, lists the features of a position and evaluates it with integers, so
// that the result is the same on every platform. Search and training are elsewhere.
//
// # The network
//
// A position is seen by the side to move. Each feature selects a row of Width weights, and
// the view is the sum of the rows. The features are the men on each of the 16 lines, by the
// kind of line, the number of men of both sides on the board and in hand, and for each side
// its slides, its blocked men and the points on which it could close a mill. Most rows
// belong to one of three phases: placing, sliding, and flying. Positions that are symmetric
// have the same rows. Negative numbers of the view count as 0. The first half is added to the
// score and the second half is subtracted:
//
//	score = (Σ max(0, view[i]), i < Width/2 − Σ max(0, view[i]), i ≥ Width/2) / Unit
package net

import (
	"fmt"

	"thera/engine/mill/rules"
	"thera/engine/simd"
)

const (
	Words = 4         // of a row
	Width = 4 * Words // numbers of a row; the first half counts for the side to move
	Unit  = 8         // one hundredth of a man, in the units of rows
)

// The rows, kind by kind, each for the phases.
const (
	lines  = 16
	kinds  = 3  // of lines: sides of the inner and the outer ring, those of the middle ring, spokes
	codes  = 27 // of a line: three points, each empty, the mover's or the opponent's
	most   = 10 // men of a side, and one
	slides = 16 // 0 to 15 and more
	closes = 5  // 0 to 4 and more
	phases = 3

	atLines  = 0
	atMen    = atLines + phases*kinds*codes
	atHand   = atMen + phases*most*most
	atSlides = atHand + 2*most // the mover's, then the opponent's
	atStuck  = atSlides + 2*phases*slides
	atCloses = atStuck + 2*phases*most
	atRemove = atCloses + 2*phases*closes

	// Rows is the number of rows.
	Rows = atRemove + 1

	features = lines + 10 // at most, of a position
)

// phase is 0 while men are in hand, 2 when a side flies.
func phase(s *rules.State) int {
	switch {
	case s.Hand != [2]uint8{}:
		return 0
	case s.Men[0].Len() > 3 && s.Men[1].Len() > 3:
		return 1
	}
	return 2
}

// base3 are the codes of lines, by three bits of the mover's men and three of the opponent's.
// Of the two directions it takes the one with the smaller code.
var base3 = func() (table [64]uint16) {
	for mover := range 8 {
		for other := range 8 {
			code, back := uint16(0), uint16(0)
			for i, digit := range [3]uint16{1, 3, 9} {
				man := uint16(mover>>i&1 + 2*(other>>i&1))
				code, back = code+digit*man, back+9/digit*man
			}
			table[mover<<3|other] = min(code, back)
		}
	}
	return table
}()

// Features lists the rows whose sum is the view of a position that is not over. n is
// their number.
func Features(s *rules.State) (list [features]uint16, n int) {
	mine, theirs, empty := s.Mine(), s.Theirs(), s.Empty()
	p := phase(s)
	add := func(kind int, mover, other rules.Set) {
		list[n] = uint16(atLines+(p*kinds+kind)*codes) + base3[(mover&7)<<3|other&7]
		n++
	}
	for ring := 0; ring < 24; ring += 8 {
		mover, other := mine>>ring&0xff, theirs>>ring&0xff
		mover, other = mover|mover<<8, other|other<<8
		for side := 1; side < 9; side += 2 { // a corner and the two points after it
			add(ring>>3&1, mover>>side, other>>side)
		}
	}
	for spoke := 0; spoke < 8; spoke += 2 {
		mover, other := mine>>spoke&0x10101, theirs>>spoke&0x10101
		add(2, mover|mover>>7|mover>>14, other|other>>7|other>>14)
	}
	me, you := s.Turn, s.Turn^1
	list[n] = uint16(atMen + (p*most+s.Left(me))*most + s.Left(you))
	list[n+1] = uint16(atHand + 2*int(s.Hand[me]))
	if s.Hand[me] != s.Hand[you] {
		list[n+1]++
	}
	n += 2
	for i, men := range [2]rules.Set{mine, theirs} {
		stage := i*phases + p
		list[n] = uint16(atSlides + stage*slides + min(men.Slides(empty), slides-1))
		list[n+1] = uint16(atStuck + stage*most + min((men&^empty.Neighbours()).Len(), most-1))
		list[n+2] = uint16(atCloses + stage*closes + min(reachable(men, empty, s.Hand[me^rules.Side(i)] > 0), closes-1))
		n += 3
	}
	if s.Action == rules.RemoveMan {
		list[n] = atRemove
		n++
	}
	return list, n
}

// reachable counts the empty points on which men of a side close a mill with its next
// move: with one of the men in hand, with any of three that fly, or with a slide.
func reachable(men, empty rules.Set, placing bool) int {
	closing := men.Closing() & empty
	if placing || closing == 0 {
		return closing.Len()
	}
	n := 0
	flies := men.Len() == 3
	for ; closing != 0; closing &= closing - 1 {
		to := closing.First()
		from := men
		if !flies {
			from &= to.Neighbours()
		}
		a, b := to.Partners()
		if men&a == a && from&^a != 0 || men&b == b && from&^b != 0 {
			n++
		}
	}
	return n
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

// Evaluate is the value of a position that is not over for the side to move, in
// hundredths of a man.
func (n *Net) Evaluate(s *rules.State) int {
	list, count := Features(s)
	var a, b, c, d uint64
	for _, at := range list[:count] {
		r := &n.rows[at]
		a, b, c, d = a+r[0], b+r[1], c+r[2], d+r[3]
	}
	return simd.Score(simd.Positive(a)+simd.Positive(b)-simd.Positive(c)-simd.Positive(d)) / Unit
}
