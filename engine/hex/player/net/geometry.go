package net

import "thera/engine/hex/rules"

// Pad is the width of the border of a board: beyond the first and the last row all cells
// are black, left and right of the others white. So each cell has all its neighbours.
const Pad = 2

// Geometry is the boards of one size, with their border, row by row.
type Geometry struct {
	Size, Width int
	inner       []uint16    // the places of cells
	rows        []uint8     // of places
	columns     []uint8     // of places
	place       [2][]uint16 // the rows of weights of cells, by side to move
	ring        [2][6]int   // neighbours as offsets, in circular order, by side to move
	bridge      [2][6]int   // the cells beyond two neighbours
	straight    [2][6]int   // the cells beyond one
}

// NewGeometry returns the geometry of a size.
func NewGeometry(size int) *Geometry {
	w := size + 2*Pad
	g := &Geometry{Size: size, Width: w}
	// For white the board is mirrored, so that the side to move joins rows.
	g.ring = [2][6]int{{-w, 1 - w, 1, w, w - 1, -1}, {-1, w - 1, w, 1, 1 - w, -w}}
	for side, ring := range g.ring {
		for k := range 6 {
			g.bridge[side][k] = ring[k] + ring[(k+1)%6]
			g.straight[side][k] = 2 * ring[k]
		}
	}
	for at := range w * w {
		g.rows, g.columns = append(g.rows, uint8(at/w)), append(g.columns, uint8(at%w))
	}
	for cell := range size * size {
		r, c := cell/size, cell%size
		g.inner = append(g.inner, uint16((r+Pad)*w+c+Pad))
		row, column := min(r, size-1-r, places-1), min(c, size-1-c, places-1)
		g.place[0] = append(g.place[0], uint16(atPlace+places*row+column))
		g.place[1] = append(g.place[1], uint16(atPlace+places*column+row))
	}
	return g
}

// Inner returns the places of all cells, which must not be changed.
func (g *Geometry) Inner() []uint16 { return g.inner }

// CellAt is the cell at a place.
func (g *Geometry) CellAt(at int) int {
	return (int(g.rows[at])-Pad)*g.Size + int(g.columns[at]) - Pad
}

// Ring is the neighbours of a place as offsets, in circular order.
func (g *Geometry) Ring() [6]int { return g.ring[0] }

// Empty is a board without stones.
func (g *Geometry) Empty() []rules.Colour {
	cells := make([]rules.Colour, g.Width*g.Width)
	for at := range cells {
		switch r, c := at/g.Width-Pad, at%g.Width-Pad; {
		case r < 0 || r >= g.Size:
			cells[at] = rules.Black
		case c < 0 || c >= g.Size:
			cells[at] = rules.White
		}
	}
	return cells
}
