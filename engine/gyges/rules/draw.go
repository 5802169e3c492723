package rules

import (
	"fmt"
	"strings"

	"thera/engine/game"
)

const (
	colourMark  = "\x1b[1;33m"
	colourLine  = "\x1b[1m"
	colourReset = "\x1b[0m"
)

// Draw is the board with player 2's home row on top and the number of the first
// square of each row on the left. The start of the last move is in parentheses,
// its end in brackets, a dropped piece in braces; > marks the active row of the
// side to move.
func (p *Position) Draw(last game.Turn, colour bool) string {
	start, end, drop := p.marks(last)
	cell := func(sq int) string {
		text := "."
		if sq < Squares && p.board.At(sq) != 0 {
			text = fmt.Sprint(p.board.At(sq))
		}
		switch sq {
		case drop:
			text = "{" + text + "}"
		case end:
			text = "[" + text + "]"
		case start:
			text = "(" + text + ")"
		default:
			return " " + text + " "
		}
		if colour {
			return colourMark + text + colourReset
		}
		return text
	}
	var s strings.Builder
	goal := func(sq int) { fmt.Fprintf(&s, "%11s%s  %d\n", "", cell(sq), sq) }
	goal(Goal2)
	for row := 5; row >= 0; row-- {
		mark := " "
		if !p.over && row == p.board.ActiveRow(p.mover) {
			mark = ">"
		}
		line := fmt.Sprintf("%s%3d ", mark, 6*row)
		if colour && mark == ">" {
			line = colourLine + line + colourReset
		}
		for column := range 6 {
			line += cell(6*row + column)
		}
		s.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	goal(Goal1)
	s.WriteString(p.caption() + "\n")
	return s.String()
}

// Words is the mover's move in words, as "2 from 3 to 21, drops the 1 on 8".
func (p *Position) Words(turn game.Turn) string {
	m, err := ParseMove(turn.Of(p.mover))
	if err != nil || p.over || m.Start() >= Squares {
		return ""
	}
	text := fmt.Sprintf("%d from %d", p.board.At(m.Start()), m.Start())
	switch end := m.End(); {
	case end >= Squares:
		return text + " into the goal"
	case m.Replaces():
		return fmt.Sprintf("%s to %d, drops the %d on %d", text, end, p.board.At(end), m.Drop())
	case end == m.Start():
		return text + " and back"
	default:
		return fmt.Sprintf("%s to %d", text, end)
	}
}

// caption says who has won or is to move.
func (p *Position) caption() string {
	if p.over {
		return verdict(p.outcome)
	}
	return fmt.Sprintf("player %d to move", p.mover)
}

// marks are the squares of the last move, -1 for those that it does not have.
func (p *Position) marks(last game.Turn) (start, end, drop int) {
	m, err := ParseMove(last.Of(p.mover.Other()))
	if err != nil {
		return -1, -1, -1
	}
	if !m.Replaces() {
		return m.Start(), m.End(), -1
	}
	return m.Start(), m.End(), m.Drop()
}

func verdict(o game.Outcome) string {
	if o.Winner == game.None {
		return "draw: " + o.Reason
	}
	return fmt.Sprintf("player %d wins: %s", o.Winner, o.Reason)
}
