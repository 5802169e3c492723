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
	logit int
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
	side  int
	turn  rules.Colour
	last  [2]int
	moves []Move
}

// NewGuesser returns a guesser by a net. Nil is a net without weights.
func NewGuesser(size int, net *Net) *Guesser {
	if net == nil {
		net = new(Net)
	}
	n := size * size
	return &Guesser{Geometry: NewGeometry(size), net: net, dist: NewDistances(size), sums: [2][]int{make([]int, n), make([]int, n)}}
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
	return g.least[0] == 0
}

// Moves returns all moves of the position, by place. The list is good until the next call.
func (g *Guesser) Moves() []Move {
	g.moves = g.moves[:0]
	best := math.MinInt
	for cell, at := range g.inner {
		if g.cells[at] == rules.None {
			m := Move{At: at, logit: g.Logit(cell)}
			best = max(best, m.logit)
			g.moves = append(g.moves, m)
		}
	}
	sum := float32(0)
	for i := range g.moves {
		m := &g.moves[i]
		below := best - m.logit
		m.Share, m.Best = power(below), power(below*3/10)
		sum += m.Share
	}
	for i := range g.moves {
		g.moves[i].Share /= sum
	}
	return g.moves
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

func power(below int) float32 { return powers[min(below, len(powers)-1)] }

// Logit is the sum of the weights of an empty cell.
func (g *Guesser) Logit(cell int) int {
	sum := 0
	for _, row := range g.local(cell) {
		sum += int(g.net.weights[row])
	}
	var near [3]uint16
	for _, row := range g.recent(near[:0], int(g.inner[cell])) {
		sum += int(g.net.weights[row])
	}
	return sum
}

// AppendRows appends the rows of an empty cell.
func (g *Guesser) AppendRows(list []uint16, cell int) []uint16 {
	rows := g.local(cell)
	return g.recent(append(list, rows[:]...), int(g.inner[cell]))
}

// turned maps colours to states by side to move: 0 empty, 1 own, 2 the other side's.
var turned = [2][3]uint16{{0, 1, 2}, {0, 2, 1}}

// local returns the rows that every cell has.
func (g *Guesser) local(cell int) (rows [9]uint16) {
	at, state := int(g.inner[cell]), &turned[g.side]
	var ring, bridge, straight [8]uint16
	for k := range 6 {
		ring[k+1] = state[g.cells[at+g.ring[g.side][k]]]
		bridge[k+1] = state[g.cells[at+g.bridge[g.side][k]]]
		straight[k] = state[g.cells[at+g.straight[g.side][k]]]
	}
	ring[0], ring[7], bridge[0] = ring[6], ring[1], bridge[6]
	code := ring[1] + 3*ring[2] + 9*ring[3] + 27*ring[4] + 81*ring[5] + 243*ring[6]
	rows[0] = atRing + canonical[code]
	for k := range 6 {
		rows[k+1] = uint16(atSector+k%Kinds*states) +
			ring[k] + 3*ring[k+1] + 9*ring[k+2] + 27*bridge[k] + 81*bridge[k+1] + 243*straight[k]
	}
	rows[7] = g.place[g.side][cell]
	theirs, mine := min(g.sums[0][cell]-g.least[0], longer-1), min(g.sums[1][cell]-g.least[1], longer-1)
	rows[8] = uint16(atDistance + longer*mine + theirs)
	return rows
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
