package santorini

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

// Draw shows the board: the heights, ^ for a dome, X for player 1's workers
// and O for player 2's before the height they stand on. What gods keep on the
// board is marked behind: * a coin or token, f a female worker. With last, the
// squares that the turn changed stand between < and >.
func (p *position) Draw(last game.Turn, colour bool) string {
	changed := p.changed(last)
	var b strings.Builder
	for row := range side {
		fmt.Fprintf(&b, "%d |", side-row)
		for col := range side {
			s := row*side + col
			b.WriteString(p.cell(s, changed&bit(s) != 0, colour))
		}
		b.WriteByte('\n')
	}
	b.WriteString("  +" + strings.Repeat("-", 5*side) + "\n     A    B    C    D    E\n")
	for i := range 2 {
		b.WriteString(marks[i:i+1] + " " + p.caption(i) + "\n")
	}
	return b.String()
}

// caption tells about one player in a line.
func (p *position) caption(i int) string {
	text := fmt.Sprintf("player %d: %s", i+1, p.god[i])
	if show := gods[p.god[i]].show; show != nil {
		text += show(p.power[i])
	}
	switch {
	case int(p.winner) == i+1:
		text += ", has won"
	case p.winner == 0 && int(p.mover) == i && p.placing():
		text += ", to place its workers"
	case p.winner == 0 && int(p.mover) == i:
		text += ", to move"
	}
	return text
}

// changed is the set of squares that look different from the position before,
// if that is known and last led here.
func (p *position) changed(last game.Turn) uint32 {
	if p.before == nil || last == (game.Turn{}) {
		return 0
	}
	set := p.occupied() ^ p.before.occupied()
	for k := range p.up {
		set |= p.up[k] ^ p.before.up[k]
	}
	for i := range p.workers {
		set |= p.workers[i] ^ p.before.workers[i]
	}
	return set
}

// cell is five characters for square s.
func (p *position) cell(s int, changed, colour bool) string {
	who, height, sign := " ", "·", " "
	paint := 0
	switch h := p.height(s); {
	case h == 4:
		height = "^"
	case h > 0:
		height = string(rune('0' + h))
	}
	for i := range 2 {
		if p.workers[i]&bit(s) != 0 {
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

// sign is what player i's god keeps on s.
func (p *position) sign(i, s int) string {
	god := &gods[p.god[i]]
	switch {
	case god.female && keptSquare(p.power[i])&bit(s) != 0:
		return "f"
	case god.token != nil && god.token(p.power[i])&bit(s) != 0:
		return "*"
	}
	return " "
}
