package rules

import (
	"strings"

	"thera/engine/game"
)

// picture is the empty board, with four columns per file and two lines per rank.
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

// Draw draws the board with O for white, @ for black and . for an empty point,
// and the hands below it. The points of the last move stand in brackets: (O) is
// a man that came, (.) a point that was left or emptied.
func (p *Position) Draw(last game.Turn, colour bool) string {
	touched := touchedBy(last)
	isTouched := func(x, y int) bool {
		at, ok := pointAt(x, y)
		return ok && touched&at.Set() != 0
	}
	var b strings.Builder
	for y, row := range strings.Split(strings.Trim(picture, "\n"), "\n") {
		for x := range len(row) {
			if at, ok := pointAt(x, y); ok {
				b.WriteString(p.man(at, colour))
			} else if isTouched(x+1, y) {
				b.WriteByte('(')
			} else if isTouched(x-1, y) {
				b.WriteByte(')')
			} else {
				b.WriteByte(row[x])
			}
		}
		if isTouched(len(row)-1, y) {
			b.WriteByte(')')
		}
		b.WriteByte('\n')
	}
	b.WriteString(p.caption())
	return b.String()
}

// Words is the move of the side to move in words, as "d6-d5, closes a mill".
func (p *Position) Words(turn game.Turn) string {
	next, err := p.Play(turn)
	if err != nil {
		return ""
	}
	m, ok := ParseMove(turn.Of(p.state.Turn.Seat()))
	if !ok {
		return "claims a draw"
	}
	text := ""
	switch to := m.To(); {
	case m.Kind() == Placing:
		text = "places " + to.String()
	case m.Kind() == Removing:
		return "removes " + to.String()
	case m.From().Neighbours()&to.Set() == 0:
		text = "flies " + m.String()
	default:
		text = m.String()
	}
	if next.(*Position).state.Action == RemoveMan {
		text += ", closes a mill"
	}
	return text
}

// touchedBy returns the points of a turn.
func touchedBy(last game.Turn) Set {
	m, ok := ParseMove(last.String())
	switch {
	case !ok:
		return 0
	case m.Kind() == Sliding:
		return m.To().Set() | m.From().Set()
	}
	return m.To().Set()
}

// pointAt returns the point in column x of line y.
func pointAt(x, y int) (Point, bool) {
	f, r := x-3, 12-y
	if f < 0 || f%4 != 0 || f > 24 || r < 0 || r%2 != 0 || numbers[f/4][r/2] < 0 {
		return 0, false
	}
	return Point(numbers[f/4][r/2]), true
}

func (p *Position) man(at Point, colour bool) string {
	text, code := ".", ""
	switch men := at.Set(); {
	case p.state.Men[White]&men != 0:
		text, code = "O", "\x1b[1;37m"
	case p.state.Men[Black]&men != 0:
		text, code = "@", "\x1b[1;31m"
	}
	if colour && code != "" {
		return code + text + "\x1b[0m"
	}
	return text
}

// caption describes what is not on the board.
func (p *Position) caption() string {
	var b strings.Builder
	if p.state.Hand != [2]uint8{} {
		b.WriteString("in hand: " + strings.Repeat("O", int(p.state.Hand[White])) + " " +
			strings.Repeat("@", int(p.state.Hand[Black])) + "\n")
	}
	if p.state.Action == RemoveMan {
		b.WriteString([2]string{"white", "black"}[p.state.Turn] + " removes a man\n")
	}
	return b.String()
}
