package rules

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"thera/engine/game"
	"thera/engine/svg"
)

// The picture is seen from above. Higher levels are smaller and lighter, with their
// number in a corner; domes are blue. Player 1 has round workers and player 2 square
// ones.
const (
	cellSize = 88.0
	boardX   = 30.0
	boardY   = 14.0

	paperColour  = "#f4efe4"
	inkColour    = "#2b2a27"
	groundColour = "#8fb174"
	seamColour   = "#7c9d63"
	domeColour   = "#2f6db5"
	newColour    = "#ffd400" // what the last turn changed
	coinColour   = "#b8860b"
)

var (
	levelColours  = [...]string{"#cfc5b0", "#e6dfd0", "#fffdf6"}
	levelSizes    = [...]float64{78, 62, 46}
	workerColours = [2]string{"#c8402f", "#4b2e83"}
)

// SVG is the board as a picture.
func (p *Position) SVG(last game.Turn, unlike game.Position) string {
	drawn := *p
	if other, ok := unlike.(*Position); ok {
		drawn.before, last = &other.State, game.Turn{compared}
	}
	return drawn.Picture(last, p.captions())
}

// Picture is SVG with other captions.
func (p *Position) Picture(last game.Turn, captions [2]string) string {
	c := svg.New("Santorini board: "+captions[0]+"; "+captions[1], boardX+5*cellSize+14, boardY+5*cellSize+84, "font-size", "15")
	c.Rect(0, 0, boardX+5*cellSize+14, boardY+5*cellSize+84, "rx", "10", "fill", paperColour)
	c.Rect(boardX, boardY, 5*cellSize, 5*cellSize, "fill", groundColour)
	c.Group("stroke", seamColour, "stroke-width", "2")
	for i := 1.0; i < Side; i++ {
		c.Line(boardX+i*cellSize, boardY, boardX+i*cellSize, boardY+5*cellSize)
		c.Line(boardX, boardY+i*cellSize, boardX+5*cellSize, boardY+i*cellSize)
	}
	c.End()
	c.Group("fill", inkColour, "text-anchor", "middle")
	for i := range Side {
		at := (float64(i) + .5) * cellSize
		c.Text(boardX/2, boardY+at+5, fmt.Sprint(Side-i))
		c.Text(boardX+at, boardY+5*cellSize+18, string(rune('A'+i)))
	}
	c.End()
	changed := p.changed(last)
	for s := range Squares {
		p.square(c, s, changed&Bit(s) != 0)
	}
	if last[0] != compared {
		p.step(c, last)
	}
	for i, caption := range captions {
		y := boardY + 5*cellSize + 44 + 24*float64(i)
		worker(c, i, boardX+9, y-5, 9)
		c.Text(boardX+28, y, strings.TrimPrefix(caption, fmt.Sprintf("player %d: ", i+1)), "fill", inkColour)
	}
	return c.String()
}

// compared stands for the turn of a picture that compares two positions.
const compared = "compared"

// corner is where a square's picture begins.
func corner(s int) (x, y float64) {
	return boardX + float64(s%Side)*cellSize, boardY + float64(s/Side)*cellSize
}

// middle is the middle of a square's picture.
func middle(s int) (x, y float64) {
	x, y = corner(s)
	return x + cellSize/2, y + cellSize/2
}

func (p *Position) square(c *svg.Canvas, s int, changed bool) {
	x, y := corner(s)
	mx, my := middle(s)
	h := p.Height(s)
	for k, size := range levelSizes[:min(h, 3)] {
		c.Rect(mx-size/2, my-size/2, size, size, "rx", "5", "fill", levelColours[k], "stroke", "#8d8473", "stroke-width", "1.5")
	}
	if changed {
		c.Rect(x+2, y+2, cellSize-4, cellSize-4, "rx", "6", "fill", "none", "stroke", newColour, "stroke-width", "4")
	}
	if h == 4 {
		c.Circle(mx, my, 19, "fill", domeColour, "stroke", "#17406f", "stroke-width", "2")
		c.Circle(mx-6, my-7, 5, "fill", "#ffffff", "fill-opacity", ".45")
	}
	for i := range 2 {
		if p.Workers[i]&Bit(s) == 0 {
			continue
		}
		worker(c, i, mx, my, 18)
		if p.sign(i, s) == "f" {
			c.Text(mx, my+6, "f", "fill", "#ffffff", "text-anchor", "middle", "font-size", "18", "font-weight", "bold")
		}
	}
	for i := range 2 {
		if _, tokens := p.Gods[i].Marks(p.GodState[i]); tokens&Bit(s) != 0 {
			c.Circle(x+cellSize-17, y+17, 8, "fill", coinColour, "stroke", "#ffffff", "stroke-width", "2")
		}
	}
	if h > 0 && h < 4 {
		c.Text(x+12, y+20, fmt.Sprint(h), "fill", inkColour, "font-weight", "bold", "text-anchor", "middle")
	}
}

// worker draws a worker of player i+1.
func worker(c *svg.Canvas, i int, x, y, radius float64) {
	look := []string{"fill", workerColours[i], "stroke", "#ffffff", "stroke-width", "2.5"}
	if i == 0 {
		c.Circle(x, y, radius, look...)
		return
	}
	side := radius * 1.8
	c.Rect(x-side/2, y-side/2, side, side, append(look, "rx", "3")...)
}

// step draws an arrow for a turn that moved one worker.
func (p *Position) step(c *svg.Canvas, last game.Turn) {
	if p.before == nil || last == (game.Turn{}) {
		return
	}
	for i := range 2 {
		gone, came := p.before.Workers[i]&^p.Workers[i], p.Workers[i]&^p.before.Workers[i]
		if bits.OnesCount32(gone) != 1 || bits.OnesCount32(came) != 1 {
			continue
		}
		x1, y1 := middle(bits.TrailingZeros32(gone))
		x2, y2 := middle(bits.TrailingZeros32(came))
		short := 20 / max(math.Abs(x2-x1), math.Abs(y2-y1), 1) // ends at the worker's edge
		c.Arrow(x1, y1, x2-(x2-x1)*short, y2-(y2-y1)*short, 11, workerColours[i], "stroke-opacity", ".8", "fill-opacity", ".9")
	}
}
