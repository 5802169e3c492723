package rules

import (
	"fmt"
	"strings"

	"thera/engine/game"
)

const (
	colourMark  = "\x1b[1;33m"
	colourReset = "\x1b[0m"
)

// Words is the mover's move in words, as "black d4".
func (p *Position) Words(turn game.Turn) string {
	word := turn.Of(p.Mover())
	if word == SwapWord {
		return "swaps colours"
	}
	if _, err := ParseCell(word, p.rules.Size); err != nil || p.winner != None {
		return ""
	}
	return fmt.Sprintf("%v %s", p.turn, word)
}

// Draw is the rhombus with row a on top, each row half a cell to the right of the
// one above. The last stone is in brackets.
func (p *Position) Draw(_ game.Turn, colour bool) string {
	size := p.rules.Size
	last := SwapMove
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
func (p *Position) caption() string {
	switch {
	case p.winner != None:
		return fmt.Sprintf("%v (program %d) wins: connected", p.winner, p.SeatOf(p.winner))
	case p.move == SwapMove && p.prev != nil:
		return fmt.Sprintf("swapped; %v (program %d) to move", p.turn, p.Mover())
	}
	return fmt.Sprintf("%v (program %d) to move", p.turn, p.Mover())
}
