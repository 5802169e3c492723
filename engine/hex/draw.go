package hex

import (
	"fmt"
	"strings"

	"thera/engine/game"
	"thera/engine/hex/rules"
)

const (
	colourMark  = "\x1b[1;33m"
	colourReset = "\x1b[0m"
)

// Words is the mover's move in words, as "black d4".
func (p *position) Words(turn game.Turn) string {
	word := turn.Of(p.mover())
	if word == swapWord {
		return "swaps colours"
	}
	if _, err := rules.ParseCell(word, p.rules.Size); err != nil || p.winner != rules.None {
		return ""
	}
	return fmt.Sprintf("%v %s", p.turn, word)
}

// Draw is the rhombus with row a on top, each row half a cell to the right of the
// one above. The last stone is in brackets.
func (p *position) Draw(_ game.Turn, colour bool) string {
	size := p.rules.Size
	last := swapMove
	if p.prev != nil {
		last = p.move
	}
	var s strings.Builder
	head := "   "
	for column := range size {
		head += fmt.Sprintf("%-3d", column+1)
	}
	s.WriteString(strings.TrimRight(head, " ") + "\n")
	for row := range size {
		line := fmt.Sprintf("%s%c ", strings.Repeat(" ", 3*row/2), 'a'+row)
		for column := range size {
			cell := row*size + column
			text := string(".BW"[p.stones.Cells[cell]])
			switch {
			case cell != last:
				text = " " + text + " "
			case colour:
				text = colourMark + "[" + text + "]" + colourReset
			default:
				text = "[" + text + "]"
			}
			line += text
		}
		s.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	s.WriteString(p.caption() + "\n")
	return s.String()
}

// caption says who has won or is to move.
func (p *position) caption() string {
	switch {
	case p.winner != rules.None:
		return fmt.Sprintf("%v (program %d) wins: connected", p.winner, p.seatOf(p.winner))
	case p.move == swapMove && p.prev != nil:
		return fmt.Sprintf("swapped; %v (program %d) to move", p.turn, p.mover())
	}
	return fmt.Sprintf("%v (program %d) to move", p.turn, p.mover())
}
