package rules

import (
	"fmt"

	"thera/engine/game"
	"thera/engine/svg"
)

const (
	mazeX = 30.0
	mazeY = 14.0
)

var playerColours = [2]string{"#c8402f", "#4b2e83"} // rat, python

// SVG is the maze. Walls are thick, mud is a dashed line with its value, cheese is
// yellow. The rat is round and the python square; one in mud stands on the cell
// that it left, with the turns that are left. Arrows are what the last turn asked
// for.
func (p *Position) SVG(last game.Turn, _ game.Position) string {
	m := p.board.Maze
	size := max(8, min(34, 760/float64(max(m.Width, m.Height))))
	width, height := 2*mazeX+size*float64(m.Width), mazeY+size*float64(m.Height)+84
	width = max(width, 360)
	c := svg.New(fmt.Sprintf("PyRat maze: turn %d, rat %s, python %s", p.state.Turn, p.state.Score[0], p.state.Score[1]), width, height, "font-size", "12")
	c.Rect(0, 0, width, height, "rx", "10", "fill", "#f4efe4")
	c.Rect(mazeX, mazeY, size*float64(m.Width), size*float64(m.Height), "fill", "#fffdf6")
	at := func(cell Cell) (x, y float64) {
		col, row := m.XY(cell)
		return mazeX + (float64(col)+.5)*size, mazeY + (float64(m.Height-row)-.5)*size
	}
	p.passages(c, size, at)
	for cell := range Cell(m.Cells()) {
		if p.cheese.Has(int(cell)) {
			x, y := at(cell)
			c.Circle(x, y, size*.22, "fill", "#f2b705", "stroke", "#8a6500", "stroke-width", "1.2")
		}
	}
	p.players(c, size, last, at)
	c.Group("fill", "#5a4424", "text-anchor", "middle", "font-size", "10")
	for i := range max(m.Width, m.Height) {
		if step := max(1, int(16/size)); i%step != 0 {
			continue
		}
		if i < m.Width {
			x, _ := at(m.cell(i, 0))
			c.Text(x, mazeY+size*float64(m.Height)+13, fmt.Sprint(i))
		}
		if i < m.Height {
			_, y := at(m.cell(0, i))
			c.Text(mazeX/2, y+4, fmt.Sprint(i))
		}
	}
	c.End()
	base := mazeY + size*float64(m.Height) + 38
	c.Group("fill", "#2b2a27", "font-size", "14")
	c.Text(mazeX, base, fmt.Sprintf("turn %d of %d, %d cheese left", p.state.Turn, p.board.MaxTurns, p.state.Left))
	for i, name := range [2]string{"rat", "python"} {
		x := mazeX + 9 + float64(i)*(width-2*mazeX)/2
		piece(c, i, x, base+23, 8)
		c.Text(x+16, base+28, fmt.Sprintf("%s %s%s", name, p.state.Score[i], p.mudNote(i)))
	}
	c.End()
	return c.String()
}

// passages draws the grid, walls and mud.
func (p *Position) passages(c *svg.Canvas, size float64, at func(Cell) (x, y float64)) {
	m, half := p.board.Maze, size/2
	grid, walls, mud := svg.NewPath(), svg.NewPath(), svg.NewPath()
	type value struct {
		x, y float64
		mud  int16
	}
	var values []value
	for cell := range Cell(m.Cells()) {
		x, y := at(cell)
		col, row := m.XY(cell)
		for _, side := range []struct {
			move   Move
			inside bool
			x1, y1 float64
			x2, y2 float64
		}{
			{Right, col+1 < m.Width, x + half, y - half, x + half, y + half},
			{Up, row+1 < m.Height, x - half, y - half, x + half, y - half},
		} {
			if !side.inside {
				continue
			}
			path := grid
			switch to, deep := m.Next(cell, side.move); {
			case to < 0:
				path = walls
			case deep > 0:
				path = mud
				values = append(values, value{(side.x1 + side.x2) / 2, (side.y1 + side.y2) / 2, deep})
			}
			path.Move(side.x1, side.y1).Line(side.x2, side.y2)
		}
	}
	c.Path(grid, "stroke", "#e3dac6", "stroke-width", "1", "fill", "none")
	c.Path(mud, "stroke", "#8b5a2b", "stroke-width", "3", "stroke-dasharray", "3 3", "fill", "none")
	c.Path(walls, "stroke", "#2b2a27", "stroke-width", "3.5", "stroke-linecap", "round", "fill", "none")
	c.Rect(mazeX, mazeY, size*float64(m.Width), size*float64(m.Height), "stroke", "#2b2a27", "stroke-width", "3.5", "fill", "none")
	if size < 20 {
		return
	}
	c.Group("fill", "#8b5a2b", "text-anchor", "middle", "font-size", "10", "stroke", "#fffdf6", "stroke-width", "3", "paint-order", "stroke")
	for _, v := range values {
		c.Text(v.x, v.y+3.5, fmt.Sprint(v.mud))
	}
	c.End()
}

// players draws both, side by side where they share a cell, and their last moves.
func (p *Position) players(c *svg.Canvas, size float64, last game.Turn, at func(Cell) (x, y float64)) {
	for i, cell := range p.state.At {
		x, y := at(cell)
		radius := size * .34
		if p.state.At[0] == p.state.At[1] {
			x += size * .2 * float64(2*i-1)
			radius = size * .24
		}
		if move, ok := ParseLetter(last[i]); ok && move != Stay {
			dx, dy := float64(steps[move][0]), -float64(steps[move][1])
			c.Arrow(x-dx*size, y-dy*size, x-dx*radius, y-dy*radius, size*.22, playerColours[i], "stroke-opacity", ".7", "fill-opacity", ".7")
		}
		piece(c, i, x, y, radius)
		if turns := p.state.Timer[i]; turns > 0 && size >= 12 {
			c.Text(x, y+4, fmt.Sprint(turns), "fill", "#ffffff", "text-anchor", "middle", "font-size", "11", "font-weight", "bold")
		}
	}
}

func piece(c *svg.Canvas, i int, x, y, radius float64) {
	look := []string{"fill", playerColours[i], "stroke", "#ffffff", "stroke-width", "1.5"}
	if i == 0 {
		c.Circle(x, y, radius, look...)
		return
	}
	c.Rect(x-radius*.9, y-radius*.9, 1.8*radius, 1.8*radius, append(look, "rx", "2")...)
}
