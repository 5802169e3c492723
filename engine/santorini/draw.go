package santorini

import (
	"fmt"
	"strings"

	"thera/engine/game"
)

// Draw shows the board with both players' workers: X of player 1, O of player
// 2, the height beside them, ^ for a dome. What changed since the turn before is
// not known from a state alone, so last is read only for the mover's squares.
func (p *position) Draw(last game.Turn, colour bool) string {
	var b strings.Builder
	for row := range side {
		fmt.Fprintf(&b, "%d |", side-row)
		for col := range side {
			b.WriteString(" " + p.cell(row*side+col, colour))
		}
		b.WriteByte('\n')
	}
	b.WriteString("  +---------------\n    A  B  C  D  E\n")
	for i := range 2 {
		fmt.Fprintf(&b, "%s player %d: %s", marks[i:i+1], i+1, p.god[i])
		if show := gods[p.god[i]].show; show != nil {
			b.WriteString(show(p.power[i]))
		}
		switch {
		case int(p.winner) == i+1:
			b.WriteString(", has won")
		case p.winner == 0 && int(p.mover) == i:
			b.WriteString(", to move")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

const marks = "XO"

// cell is two characters: a worker or a space, and the height.
func (p *position) cell(s int, colour bool) string {
	var h string
	switch p.height(s) {
	case 0:
		h = "."
	case 4:
		h = "^"
	default:
		h = fmt.Sprint(p.height(s))
	}
	for i := range 2 {
		if p.workers[i]&bit(s) == 0 {
			continue
		}
		cell := marks[i:i+1] + h
		if colour {
			cell = fmt.Sprintf("\x1b[%dm%s\x1b[0m", 31+3*i, cell)
		}
		return cell
	}
	return " " + h
}
