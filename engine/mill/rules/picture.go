package rules

import (
	"fmt"

	"thera/engine/game"
	"thera/engine/svg"
)

const (
	pointGap    = 62.0
	pointMargin = 44.0
)

// SVG is the board with its three rings. Rings of colour are round the points of
// the last move, with an arrow for a slide and a cross for a removal. Men in hand
// are below.
func (p *Position) SVG(last game.Turn, _ game.Position) string {
	const side = 2*pointMargin + 6*pointGap
	c := svg.New("Nine Men's Morris board: "+p.toMove(), side, side+64, "font-size", "14")
	c.Rect(0, 0, side, side+64, "rx", "10", "fill", "#e9dcc3")
	lines := svg.NewPath()
	for ring := range 3 {
		near, far := float64(ring), float64(6-ring)
		for i, corner := range [4][2]float64{{near, near}, {far, near}, {far, far}, {near, far}} {
			x, y := onBoard(corner[0], corner[1])
			if i == 0 {
				lines.Move(x, y)
			} else {
				lines.Line(x, y)
			}
		}
		lines.Close()
	}
	for _, spoke := range [4][4]float64{{3, 0, 3, 2}, {3, 4, 3, 6}, {0, 3, 2, 3}, {4, 3, 6, 3}} {
		x1, y1 := onBoard(spoke[0], spoke[1])
		x2, y2 := onBoard(spoke[2], spoke[3])
		lines.Move(x1, y1).Line(x2, y2)
	}
	c.Path(lines, "fill", "none", "stroke", "#6d5836", "stroke-width", "3", "stroke-linejoin", "round")
	c.Group("fill", "#5a4424", "text-anchor", "middle")
	for i := range 7 {
		x, y := onBoard(float64(i), float64(i))
		c.Text(x, side-12, string(rune('a'+i)))
		c.Text(16, y+5, fmt.Sprint(i+1))
	}
	c.End()
	touched := touchedBy(last)
	for at := range Point(Points) {
		x, y := at.onBoard()
		switch men := at.Set(); {
		case p.state.Men[White]&men != 0:
			man(c, White, x, y, 19)
		case p.state.Men[Black]&men != 0:
			man(c, Black, x, y, 19)
		default:
			c.Circle(x, y, 6, "fill", "#6d5836")
		}
		if touched&at.Set() != 0 {
			c.Circle(x, y, 24, "fill", "none", "stroke", "#e4572e", "stroke-width", "3")
		}
	}
	if m, ok := ParseMove(last.String()); ok {
		x, y := m.To().onBoard()
		switch m.Kind() {
		case Sliding:
			fromX, fromY := m.From().onBoard()
			c.Arrow(fromX, fromY, x, y, 10, "#e4572e", "stroke-opacity", ".8", "fill-opacity", ".9")
		case Removing:
			c.Path(svg.NewPath().Move(x-11, y-11).Line(x+11, y+11).Move(x-11, y+11).Line(x+11, y-11), "stroke", "#e4572e", "stroke-width", "4")
		}
	}
	for who, at := range [2]float64{26, side/2 + 26} {
		for i := range p.state.Hand[who] {
			man(c, Side(who), at+float64(i)*17, side+14, 8)
		}
	}
	c.Text(side/2, side+50, p.toMove(), "fill", "#2b2a27", "text-anchor", "middle", "font-size", "15")
	return c.String()
}

func man(c *svg.Canvas, who Side, x, y, radius float64) {
	c.Circle(x, y, radius, "fill", [2]string{White: "#ffffff", Black: "#26262a"}[who], "stroke", "#26262a", "stroke-width", "2")
	c.Circle(x, y, radius*.6, "fill", "none", "stroke", [2]string{White: "#c9c9c9", Black: "#606068"}[who], "stroke-width", "1.5")
}

// onBoard is the place of a file and a rank, both from 0.
func onBoard(file, rank float64) (x, y float64) {
	return pointMargin + file*pointGap, pointMargin + (6-rank)*pointGap
}

func (p Point) onBoard() (x, y float64) {
	name := p.String()
	return onBoard(float64(name[0]-'a'), float64(name[1]-'1'))
}

// toMove says who is to do what, or how the game ended.
func (p *Position) toMove() string {
	if o, over := p.Outcome(); over {
		if o.Winner == game.None {
			return "draw: " + o.Reason
		}
		return [...]string{game.First: "white", game.Second: "black"}[o.Winner] + " wins: " + o.Reason
	}
	who := [2]string{White: "white", Black: "black"}[p.state.Turn]
	switch {
	case p.state.Action == RemoveMan:
		return who + " removes a man"
	case p.state.Placing():
		return who + " places a man"
	}
	return who + " to move"
}
