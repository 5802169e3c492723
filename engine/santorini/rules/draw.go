package rules

import (
	"fmt"
	"strings"

	"thera/engine/game"
)

const (
	marks = "XO" // the workers of player 1 and 2
	red   = 31
	blue  = 34
	green = 32
)

// Draw draws the board: heights, ^ for a dome, and before the height X for a worker
// of player 1 or O for one of player 2. After the height, * is a coin or token and f
// a female worker. If last led here, the squares that it changed are between < and
// >.
func (p *Position) Draw(last game.Turn, colour bool) string {
	return p.DrawWith(last, colour, p.captions())
}

// DrawWith is Draw with other captions.
func (p *Position) DrawWith(last game.Turn, colour bool, captions [2]string) string {
	changed := p.changed(last)
	var b strings.Builder
	for row := range Side {
		fmt.Fprintf(&b, "%d |", Side-row)
		for col := range Side {
			s := row*Side + col
			b.WriteString(p.cell(s, changed&Bit(s) != 0, colour))
		}
		b.WriteByte('\n')
	}
	b.WriteString("  +" + strings.Repeat("-", 5*Side) + "\n     A    B    C    D    E\n")
	for i, caption := range captions {
		b.WriteString(marks[i:i+1] + " " + caption + "\n")
	}
	return b.String()
}

func (p *Position) captions() (list [2]string) {
	for i := range list {
		list[i] = CaptionOf(i, p.Gods[i].String()+p.Gods[i].FormatState(p.GodState[i]), int(p.Winner), int(p.Mover), p.Placing())
	}
	return list
}

// CaptionOf describes player i+1 in a line: the god with its state, and what it has to do.
func CaptionOf(i int, god string, winner, mover int, placing bool) string {
	text := fmt.Sprintf("player %d: %s", i+1, god)
	switch {
	case winner == i+1:
		text += ", has won"
	case winner == 0 && mover == i && placing:
		text += ", to place its workers"
	case winner == 0 && mover == i:
		text += ", to move"
	}
	return text
}

// changed is the set of squares that the last turn changed, empty if it is not known.
func (p *Position) changed(last game.Turn) uint32 {
	if p.before == nil || last == (game.Turn{}) {
		return 0
	}
	set := p.Occupied() ^ p.before.Occupied()
	for k := range p.Above {
		set |= p.Above[k] ^ p.before.Above[k]
	}
	for i := range p.Workers {
		set |= p.Workers[i] ^ p.before.Workers[i]
	}
	return set
}

// cell draws square s in five characters.
func (p *Position) cell(s int, changed, colour bool) string {
	who, height, sign := " ", "·", " "
	paint := 0
	switch h := p.Height(s); {
	case h == 4:
		height = "^"
	case h > 0:
		height = string(rune('0' + h))
	}
	for i := range 2 {
		if p.Workers[i]&Bit(s) != 0 {
			who, paint = marks[i:i+1], [2]int{red, blue}[i]
		}
		if p.sign(i, s) != " " {
			sign = p.sign(i, s)
		}
	}
	open, shut := " ", " "
	if changed {
		open, shut = "<", ">"
		if paint == 0 {
			paint = green
		}
	}
	text := who + height + sign
	if colour && paint != 0 {
		text = fmt.Sprintf("\x1b[%dm%s\x1b[0m", paint, text)
	}
	return open + text + shut
}

// sign is the mark of player i's god on s, " " if there is none.
func (p *Position) sign(i, s int) string {
	switch female, tokens := p.Gods[i].Marks(p.GodState[i]); {
	case female&Bit(s) != 0:
		return "f"
	case tokens&Bit(s) != 0:
		return "*"
	}
	return " "
}
