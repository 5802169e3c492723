package rules

import (
	"fmt"
	"strings"

	"thera/engine/game"
)

// Draw returns a picture of the maze. R and P are the players, B is both on one
// cell, and * is cheese; r, p and b stand on cheese. | and --- are walls, : and
// ... are mud. A player in mud stands on the cell it left.
func (p *Position) Draw(last game.Turn, colour bool) string {
	paint := func(code, text string) string {
		if !colour {
			return text
		}
		return "\x1b[" + code + "m" + text + "\x1b[0m"
	}
	m, s := p.board.Maze, &p.state
	inside := min(3, max(1, 75/m.Width-1)) // columns of a cell: all fit in 80 up to a width of 37
	left := (inside - 1) / 2
	b := &strings.Builder{}
	fmt.Fprintf(b, "turn %d of %d   R rat %s%s   P python %s%s   %d cheese left\n", s.Turn, p.board.MaxTurns,
		s.Score[0], p.mudNote(0), s.Score[1], p.mudNote(1), s.Left)
	if last != (game.Turn{}) {
		fmt.Fprintf(b, "last turn %s\n", last)
	}
	rule := func(y int) { // the line below row y
		b.WriteString("    ")
		for x := range m.Width {
			text := strings.Repeat(" ", inside)
			switch to, mud := m.Next(m.cell(x, y), Down); {
			case to < 0:
				text = strings.Repeat("-", inside)
			case mud > 0:
				text = paint("33", strings.Repeat(".", inside))
			}
			b.WriteString("+" + text)
		}
		b.WriteString("+\n")
	}
	b.WriteString("    " + strings.Repeat("+"+strings.Repeat("-", inside), m.Width) + "+\n")
	for y := m.Height - 1; y >= 0; y-- {
		fmt.Fprintf(b, "%3d |", y)
		for x := range m.Width {
			cell := m.cell(x, y)
			b.WriteString(strings.Repeat(" ", left) + p.glyph(cell, paint) + strings.Repeat(" ", inside-1-left))
			switch to, mud := m.Next(cell, Right); {
			case to < 0:
				b.WriteString("|")
			case mud > 0:
				b.WriteString(paint("33", ":"))
			default:
				b.WriteString(" ")
			}
		}
		b.WriteString("\n")
		rule(y)
	}
	b.WriteString("    ")
	for x := range m.Width {
		if inside == 1 {
			x %= 10
		}
		fmt.Fprintf(b, "%*d ", inside, x)
	}
	b.WriteString("\n")
	return b.String()
}

// Words is a turn in words, as "rat up, python stays".
func (p *Position) Words(turn game.Turn) string {
	var words []string
	for i, name := range [2]string{"rat", "python"} {
		m, ok := ParseLetter(turn[i])
		switch {
		case !ok:
		case m == Stay:
			words = append(words, name+" stays")
		default:
			words = append(words, name+" "+strings.ToLower(m.String()))
		}
	}
	return strings.Join(words, ", ")
}

func (p *Position) mudNote(player int) string {
	if p.state.Timer[player] == 0 {
		return ""
	}
	return fmt.Sprintf(" (in mud to %s for %d)", p.board.CellName(p.state.Dest[player]), p.state.Timer[player])
}

func (p *Position) glyph(cell Cell, paint func(code, text string) string) string {
	cheese := p.cheese.Has(int(cell))
	text, code := "", ""
	switch {
	case p.state.At[0] == cell && p.state.At[1] == cell:
		text, code = "B", "35"
	case p.state.At[0] == cell:
		text, code = "R", "31"
	case p.state.At[1] == cell:
		text, code = "P", "32"
	case cheese:
		return paint("93", "*")
	default:
		return " "
	}
	if cheese {
		text = strings.ToLower(text)
	}
	return paint(code, text)
}
