package mill

import (
	"strings"

	"thera/engine/game"
)

// picture is the empty board: four columns a file, two lines a rank.
const picture = `
7  .-----------.-----------.
   |           |           |
6  |   .-------.-------.   |
   |   |       |       |   |
5  |   |   .---.---.   |   |
   |   |   |       |   |   |
4  .---.---.       .---.---.
   |   |   |       |   |   |
3  |   |   .---.---.   |   |
   |   |       |       |   |
2  |   .-------.-------.   |
   |           |           |
1  .-----------.-----------.
   a   b   c   d   e   f   g
`

// Draw draws the board with O for white, @ for black and . for an empty
// point, and the hands below it. The points of the last move stand in
// brackets: (O) came, (.) was left or emptied.
func (p *Position) Draw(last game.Turn, colour bool) string {
	var touched uint32
	if m, ok := parseMove(last.String()); ok {
		touched = m.to().bit()
		if m.kind() == sliding {
			touched |= m.from().bit()
		}
	}
	rows := strings.Split(strings.Trim(picture, "\n"), "\n")
	var b strings.Builder
	for y, row := range rows {
		for x := range len(row) {
			at, ok := pointAt(x, y)
			if left, here := pointAt(x+1, y); here && touched&left.bit() != 0 {
				b.WriteByte('(')
				continue
			}
			if right, here := pointAt(x-1, y); here && touched&right.bit() != 0 {
				b.WriteByte(')')
				continue
			}
			if !ok {
				b.WriteByte(row[x])
				continue
			}
			b.WriteString(p.man(at, colour))
		}
		if right, here := pointAt(len(row)-1, y); here && touched&right.bit() != 0 {
			b.WriteByte(')')
		}
		b.WriteByte('\n')
	}
	b.WriteString(p.caption())
	return b.String()
}

// pointAt is the point drawn in column x of line y.
func pointAt(x, y int) (point, bool) {
	f, r := x-3, 12-y
	if f < 0 || f%4 != 0 || f > 24 || r < 0 || r%2 != 0 || numbers[f/4][r/2] < 0 {
		return 0, false
	}
	return point(numbers[f/4][r/2]), true
}

func (p *Position) man(at point, colour bool) string {
	text, code := ".", ""
	switch bit := at.bit(); {
	case p.men[white]&bit != 0:
		text, code = "O", "\x1b[1;37m"
	case p.men[black]&bit != 0:
		text, code = "@", "\x1b[1;31m"
	}
	if colour && code != "" {
		return code + text + "\x1b[0m"
	}
	return text
}

// caption says what is not on the board.
func (p *Position) caption() string {
	var b strings.Builder
	if p.hand != [2]uint8{} {
		b.WriteString("in hand: " + strings.Repeat("O", int(p.hand[white])) + " " +
			strings.Repeat("@", int(p.hand[black])) + "\n")
	}
	if p.act == actRemove {
		b.WriteString([2]string{"white", "black"}[p.turn] + " removes a man\n")
	}
	return b.String()
}
