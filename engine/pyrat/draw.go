package pyrat

import (
	"fmt"
	"strings"

	"thera/engine/game"
)

// Draw shows the maze: R and P are the players, B both on one cell, * cheese;
// r, p and b stand on cheese. | and --- are walls, : and ... mud. A player in
// mud stands at its origin.
func (p *position) Draw(last game.Turn, colour bool) string {
	paint := func(code, text string) string {
		if !colour {
			return text
		}
		return "\x1b[" + code + "m" + text + "\x1b[0m"
	}
	m := p.board.maze
	b := &strings.Builder{}
	fmt.Fprintf(b, "turn %d of %d   R rat %s%s   P python %s%s   %d cheese left\n", p.turn, p.board.maxTurns,
		halves(p.score[0]), p.plight(0), halves(p.score[1]), p.plight(1), p.left)
	if last != (game.Turn{}) {
		fmt.Fprintf(b, "last turn %s\n", last)
	}
	rule := func(y int) { // the line below row y
		b.WriteString("    ")
		for x := range m.width {
			text := "   "
			switch cell := m.cell(x, y) * moves; {
			case y == 0 || m.next[cell+down] < 0:
				text = "---"
			case m.mud[cell+down] > 0:
				text = paint("33", "...")
			}
			b.WriteString("+" + text)
		}
		b.WriteString("+\n")
	}
	b.WriteString("    " + strings.Repeat("+---", m.width) + "+\n")
	for y := m.height - 1; y >= 0; y-- {
		fmt.Fprintf(b, "%3d |", y)
		for x := range m.width {
			cell := m.cell(x, y)
			b.WriteString(" " + p.glyph(cell, paint) + " ")
			switch way := int(cell)*moves + right; {
			case m.next[way] < 0:
				b.WriteString("|")
			case m.mud[way] > 0:
				b.WriteString(paint("33", ":"))
			default:
				b.WriteString(" ")
			}
		}
		b.WriteString("\n")
		rule(y)
	}
	b.WriteString("    ")
	for x := range m.width {
		fmt.Fprintf(b, "%3d ", x)
	}
	b.WriteString("\n")
	return b.String()
}

func (p *position) plight(i int) string {
	if p.timer[i] == 0 {
		return ""
	}
	return fmt.Sprintf(" (in mud to %s for %d)", p.board.name(p.dest[i]), p.timer[i])
}

func (p *position) glyph(cell int16, paint func(code, text string) string) string {
	cheese := p.cheese.has(cell)
	text, code := "", ""
	switch {
	case p.at[0] == cell && p.at[1] == cell:
		text, code = "B", "35"
	case p.at[0] == cell:
		text, code = "R", "31"
	case p.at[1] == cell:
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
