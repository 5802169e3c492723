package rules

import (
	"fmt"
	"math"

	"thera/engine/game"
	"thera/engine/svg"
)

const (
	hexSide   = 17.0
	hexMargin = 34.0
)

var (
	hexWidth  = hexSide * math.Sqrt(3)
	hexHeight = hexSide * 1.5
)

// SVG is the rhombus with row a on top. The edges that black joins are black,
// those of white are white; a dot marks the last stone.
func (p *Position) SVG(game.Turn, game.Position) string {
	size := p.rules.Size
	n := float64(size)
	width, height := 2*hexMargin+hexWidth*(n+(n-1)/2), 2*hexMargin+hexHeight*(n-1)+2*hexSide+24
	c := svg.New("Hex board: "+p.caption(), width, height, "font-size", "12")
	c.Rect(0, 0, width, height, "rx", "10", "fill", "#e9dcc3")
	p.edges(c)
	empty := svg.NewPath()
	for cell := range size * size {
		x, y := p.centre(cell)
		for k := range 6 {
			dx, dy := hexCorner(k)
			if k == 0 {
				empty.Move(x+dx, y+dy)
			} else {
				empty.Line(x+dx, y+dy)
			}
		}
		empty.Close()
	}
	c.Path(empty, "fill", "#f7f0e0", "stroke", "#a08c68", "stroke-width", "1.2")
	for cell, colour := range p.stones.Cells {
		if colour == None {
			continue
		}
		x, y := p.centre(cell)
		fill, other := "#1d1d1f", "#ffffff"
		if colour == White {
			fill, other = other, fill
		}
		c.Circle(x, y, hexSide*.68, "fill", fill, "stroke", "#1d1d1f", "stroke-width", "1.5")
		if p.prev != nil && cell == p.move {
			c.Circle(x, y, hexSide*.26, "fill", "#e4572e", "stroke", other, "stroke-width", "1")
		}
	}
	c.Group("fill", "#4a3f2a", "text-anchor", "middle")
	for i := range size {
		x, y := p.centre(i)
		c.Text(x, y-hexSide-9, fmt.Sprint(i+1))
		x, y = p.centre(i * size)
		c.Text(x-hexWidth/2-12, y+4, string(rune('a'+i)))
	}
	c.End()
	c.Text(width/2, height-12, p.caption(), "fill", "#2b2a27", "text-anchor", "middle", "font-size", "14")
	return c.String()
}

// centre is the middle of a cell.
func (p *Position) centre(cell int) (x, y float64) {
	row, column := float64(cell/p.rules.Size), float64(cell%p.rules.Size)
	return hexMargin + hexWidth*(column+row/2+.5), hexMargin + hexSide + hexHeight*row
}

// hexCorner is a corner of a cell from its middle, clockwise from the top.
func hexCorner(k int) (dx, dy float64) {
	sin, cos := math.Sincos(float64(k) * math.Pi / 3)
	return hexSide * sin, -hexSide * cos
}

// edges draws the four edges in the colours of the players that join them.
func (p *Position) edges(c *svg.Canvas) {
	size := p.rules.Size
	for _, edge := range []struct {
		cell    func(i int) int
		corners [3]int
		colour  string
	}{
		{func(i int) int { return i }, [3]int{5, 0, 1}, "#1d1d1f"},
		{func(i int) int { return (size-1)*size + i }, [3]int{4, 3, 2}, "#1d1d1f"},
		{func(i int) int { return i * size }, [3]int{5, 4, 3}, "#ffffff"},
		{func(i int) int { return i*size + size - 1 }, [3]int{0, 1, 2}, "#ffffff"},
	} {
		path := svg.NewPath()
		for i := range size {
			x, y := p.centre(edge.cell(i))
			for k, corner := range edge.corners {
				dx, dy := hexCorner(corner)
				if i == 0 && k == 0 {
					path.Move(x+dx, y+dy)
				} else {
					path.Line(x+dx, y+dy)
				}
			}
		}
		c.Path(path, "fill", "none", "stroke", edge.colour, "stroke-width", "11", "stroke-linejoin", "round")
	}
}
