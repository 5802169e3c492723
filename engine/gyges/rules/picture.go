package rules

import (
	"fmt"

	"thera/engine/game"
	"thera/engine/svg"
)

const (
	squareSize = 62.0
	fieldX     = 40.0
	fieldY     = 74.0
)

// SVG is the board with player 2's home row on top. A piece is as many rings as
// its value. The row that the side to move may use is lighter; an arrow is the
// last move, and a ring of its colour marks a piece that it dropped.
func (p *Position) SVG(last game.Turn, _ game.Position) string {
	const side = 6 * squareSize
	c := svg.New("Gyges board: "+p.caption(), 2*fieldX+side, fieldY+side+104, "font-size", "13")
	c.Rect(0, 0, 2*fieldX+side, fieldY+side+104, "rx", "10", "fill", "#efe6d2")
	c.Rect(fieldX, fieldY, side, side, "rx", "6", "fill", "#c9a26b")
	if !p.over {
		row := 5 - p.board.ActiveRow(p.mover)
		c.Rect(fieldX, fieldY+float64(row)*squareSize, side, squareSize, "fill", "#e8cf9f")
	}
	for _, goal := range []int{Goal1, Goal2} {
		x, y := squareCentre(goal)
		c.Circle(x, y, 24, "fill", "#c9a26b", "stroke", "#7d5f34", "stroke-width", "2")
	}
	c.Group("fill", "#5a4424", "text-anchor", "middle")
	for row := range 6 {
		_, y := squareCentre(6 * row)
		c.Text(fieldX/2, y+5, fmt.Sprint(6*row))
	}
	c.Text(fieldX+side/2+64, fieldY-30, "player 2")
	c.Text(fieldX+side/2+64, fieldY+side+40, "player 1")
	c.End()
	start, end, drop := p.marks(last)
	for sq := range Squares {
		x, y := squareCentre(sq)
		c.Circle(x, y, 27, "fill", "#ffffff", "fill-opacity", ".18")
		for ring := range p.board.At(sq) {
			c.Circle(x, y, 24-7.5*float64(ring), "fill", [...]string{"#4a3b2a", "#8a7353", "#d9c7a3"}[ring], "stroke", "#fffaf0", "stroke-width", "2")
		}
		if value := p.board.At(sq); value > 0 {
			c.Text(x+24, y+26, fmt.Sprint(value), "fill", "#2b2a27", "text-anchor", "middle", "font-weight", "bold")
		}
		if sq == drop {
			c.Circle(x, y, 28, "fill", "none", "stroke", "#2f6db5", "stroke-width", "3.5", "stroke-dasharray", "6 4")
		}
	}
	if start >= 0 {
		x1, y1 := squareCentre(start)
		x2, y2 := squareCentre(end)
		c.Arrow(x1, y1, x2, y2, 11, "#c8402f", "stroke-opacity", ".85", "fill-opacity", ".9")
		if drop >= 0 {
			x3, y3 := squareCentre(drop)
			c.Arrow(x2, y2, x3, y3, 8, "#2f6db5", "stroke-opacity", ".7", "fill-opacity", ".8")
		}
	}
	c.Text(fieldX+side/2, fieldY+side+90, p.caption(), "fill", "#2b2a27", "text-anchor", "middle", "font-size", "15")
	return c.String()
}

// squareCentre is the middle of a square or goal.
func squareCentre(sq int) (x, y float64) {
	switch sq {
	case Goal1:
		return fieldX + 3*squareSize, fieldY + 6*squareSize + 34
	case Goal2:
		return fieldX + 3*squareSize, fieldY - 34
	}
	return fieldX + (float64(sq%6)+.5)*squareSize, fieldY + (5.5-float64(sq/6))*squareSize
}
