// Package net guesses, before any search, which moves of a Hex position deserve one: by
// the stones around each empty cell, its place, the moves just played, and the
// two-distances of both colours. It is a linear model: each cell has rows, and the share of
// a cell is the exponential of the sum of their weights.
//
// It refuses to search. All arithmetic of guesses is of integers, the same on every
// platform.
package net

import (
	"math"

	"thera/engine/hex/rules"
)

// Unit is a logit in the numbers of rows.
const Unit = 256

// The rows of weights, kind by kind. A cell has one row for the six cells around it, one for
// each of six sectors of six cells, one for its place and one for its two-distances; near
// the last moves it has others.
const (
	states  = 729 // of six cells: empty, own, the other side's
	places  = 6   // distances from a border, 0 to 5 and more
	windows = 7   // cells a side around a move, which is in the middle
	longer  = 6   // by how much two-distances exceed the least, 0 to 5 and more

	atRing     = 0
	atSector   = atRing + states
	atPlace    = atSector + Kinds*states
	atOther    = atPlace + places*places
	atOwn      = atOther + windows*windows
	atSave     = atOwn + windows*windows
	atDistance = atSave + 1

	// Rows is the number of rows.
	Rows = atDistance + longer*longer
)

// Move is an empty cell and what is guessed of it.
type Move struct {
	At    uint16  // its place
	Share float32 // of all moves
	Best  float32 // its share as a part of the best move's, by the power of 0.3
	Logit int     // in Units
}

// Guesser guesses the moves of positions of one size. Only one goroutine may use it at a
// time.
type Guesser struct {
	*Geometry
	net   *Net
	dist  *Distances
	sums  [2][]int // two-distances of both colours, by cell
	least [2]int
	cells []rules.Colour
	seen  [2]seen
	side  int
	turn  rules.Colour
	last  [2]int
	moves []Move
}

// seen is the board of a side's last look, and what is around each of its places.
type seen struct {
	cells []rules.Colour
	rows  [][1 + 6]uint16 // by place, after a margin: the code of the six cells around, and the rows of sectors
}

// NewGuesser returns a guesser by a net. Nil is a net without weights.
func NewGuesser(size int, net *Net) *Guesser {
	if net == nil {
		net = new(Net)
	}
	n := size * size
	g := &Guesser{
		Geometry: NewGeometry(size), net: net, dist: NewDistances(size),
		sums: [2][]int{make([]int, n), make([]int, n)},
	}
	for side := range g.seen {
		s := &g.seen[side]
		s.cells, s.rows = make([]rules.Colour, g.Width*g.Width), make([][1 + 6]uint16, (g.Width+2*margin)*g.Width)
		for i := range s.rows {
			for k := range 6 {
				s.rows[i][1+k] = uint16(atSector + k%Kinds*states)
			}
		}
	}
	return g
}

// margin is the rows beside a board that the rows of its border's cells reach.
const margin = 2

// see brings the rows of the side to move up to date.
func (g *Guesser) see() {
	s, ring, bridge, straight := &g.seen[g.side], &g.ring[g.side], &g.bridge[g.side], &g.straight[g.side]
	for at, c := range g.cells {
		old := s.cells[at]
		if c == old {
			continue
		}
		s.cells[at] = c
		by := turned[g.side][c] - turned[g.side][old] // modulo 1<<16
		power, from := by, at+margin*g.Width
		for k := range 6 {
			near := &s.rows[from-ring[k]]
			near[0] += power
			near[1+(k+5)%6] += 9 * by
			near[1+k] += 3 * by
			near[1+(k+1)%6] += by
			far := &s.rows[from-bridge[k]]
			far[1+k] += 81 * by
			far[1+(k+1)%6] += 27 * by
			s.rows[from-straight[k]][1+k] += 243 * by
			power *= 3
		}
	}
}

// Look takes a board, the side to move, and the places of the last two moves, the other
// side's first, 0 for one that is not known. It reports whether the other side has won.
func (g *Guesser) Look(cells []rules.Colour, turn rules.Colour, last [2]int) (won bool) {
	g.cells, g.turn, g.last, g.side = cells, turn, last, 0
	if turn == rules.White {
		g.side = 1
	}
	for i, at := range g.inner {
		g.dist.Board[i] = cells[at]
	}
	for i, c := range [2]rules.Colour{turn.Other(), turn} {
		g.least[i], _ = g.dist.Potential(c)
		if g.least[i] == 0 {
			clear(g.sums[i]) // the colour has joined its edges
			continue
		}
		for cell := range g.sums[i] {
			g.sums[i][cell] = g.dist.Sum(cell)
		}
	}
	g.see()
	return g.least[0] == 0
}

// Moves returns all moves of the position, by place. The list is good until the next call.
func (g *Guesser) Moves() []Move {
	g.moves = g.moves[:0]
	for cell, at := range g.inner {
		if g.cells[at] == rules.None {
			g.moves = append(g.moves, Move{At: at, Logit: g.Logit(cell)})
		}
	}
	SetShares(g.moves)
	return g.moves
}

// SetShares computes Share and Best of all moves of a position from their logits.
func SetShares(moves []Move) {
	best, sum := math.MinInt, float32(0)
	for i := range moves {
		best = max(best, moves[i].Logit)
	}
	for i := range moves {
		m := &moves[i]
		below := best - m.Logit
		m.Share, m.Best = Power(below), Power(below*3/10)
		sum += m.Share
	}
	for i := range moves {
		moves[i].Share /= sum
	}
}

// powers of e, by how much less than 0 the exponent is.
var powers = func() (table [12 * Unit]float32) {
	const one, factor = 1 << 40, 1044488 // e to the power of -1/Unit, times 1<<20
	for i, x := 0, uint64(one); i < len(table); i++ {
		table[i] = float32(x) / one
		x = x * factor >> 20
	}
	return table
}()

// Power is e to the power of a logit of at most 0, given as how much below 0 it is.
func Power(below int) float32 { return powers[min(below, len(powers)-1)] }

// Logit is the sum of the weights of an empty cell.
func (g *Guesser) Logit(cell int) int {
	weights, near := &g.net.weights, g.around(cell)
	sum := int(weights[atRing+canonical[near[0]]]) + int(weights[g.place[g.side][cell]]) + int(weights[g.longer(cell)])
	for _, row := range near[1:] {
		sum += int(weights[row])
	}
	var last [3]uint16
	for _, row := range g.recent(last[:0], int(g.inner[cell])) {
		sum += int(weights[row])
	}
	return sum
}

// AppendRows appends the rows of an empty cell.
func (g *Guesser) AppendRows(list []uint16, cell int) []uint16 {
	near := g.around(cell)
	list = append(append(list, atRing+canonical[near[0]]), near[1:]...)
	return g.recent(append(list, g.place[g.side][cell], g.longer(cell)), int(g.inner[cell]))
}

// turned maps colours to states by side to move: 0 empty, 1 own, 2 the other side's.
var turned = [2][3]uint16{{0, 1, 2}, {0, 2, 1}}

// around is the code of the six cells around a cell, and the rows of its sectors.
func (g *Guesser) around(cell int) *[1 + 6]uint16 {
	return &g.seen[g.side].rows[int(g.inner[cell])+margin*g.Width]
}

// longer is the row of a cell's two-distances.
func (g *Guesser) longer(cell int) uint16 {
	theirs, mine := min(g.sums[0][cell]-g.least[0], longer-1), min(g.sums[1][cell]-g.least[1], longer-1)
	return uint16(atDistance + longer*mine + theirs)
}

// canonical is the lesser code of the six cells around a cell and their half turn.
var canonical = func() (table [states]uint16) {
	for code := range table {
		table[code] = uint16(min(code, code/27+code%27*27))
	}
	return table
}()

// recent appends the rows of a place near the last moves.
func (g *Guesser) recent(list []uint16, at int) []uint16 {
	if i, ok := g.near(at, g.last[0]); ok {
		list = append(list, uint16(atOther+i))
		if g.saves(at) {
			list = append(list, atSave)
		}
	}
	if i, ok := g.near(at, g.last[1]); ok {
		list = append(list, uint16(atOwn+i))
	}
	return list
}

// near returns the number of a place in the window around a move, the same after half a
// turn. ok is false outside.
func (g *Guesser) near(at, move int) (i int, ok bool) {
	if move == 0 {
		return 0, false
	}
	const half = windows / 2
	dr, dc := int(g.rows[at])-int(g.rows[move]), int(g.columns[at])-int(g.columns[move])
	if dr < -half || dr > half || dc < -half || dc > half {
		return 0, false
	}
	if g.side == 1 {
		dr, dc = dc, dr
	}
	i = (dr+half)*windows + dc + half
	return min(i, windows*windows-1-i), true
}

// saves reports whether a place completes a bridge that the last move, next to it, cut:
// there are own stones on both sides of the two.
func (g *Guesser) saves(at int) bool {
	ring := &g.ring[0]
	for k, d := range ring {
		if at+d == g.last[0] {
			return g.cells[at+ring[(k+1)%6]] == g.turn && g.cells[at+ring[(k+5)%6]] == g.turn
		}
	}
	return false
}

// Kinds is the number of kinds of sectors: opposite ones are of one kind.
const Kinds = 3

// Sector returns the kind of a row of a sector, and its six cells as the digits of a number
// of base 3, the lowest first: three neighbours in circular order, the cells beyond the
// first two and beyond the last two, and the cell beyond the middle one.
func Sector(row int) (kind, code int, ok bool) {
	row -= atSector
	return row / states, row % states, row >= 0 && row < Kinds*states
}
