package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// Players are the names of the players, by seat.
var Players = [2]string{"rat", "python"}

// String returns the protocol's lines and the running figures, joined by "; ".
func (p *Position) String() string {
	b := &strings.Builder{}
	for _, line := range append(p.MazeLines(), p.PlayerLines(p.state.At)...) {
		b.WriteString(line)
		b.WriteString("; ")
	}
	s := &p.state
	fmt.Fprintf(b, "max_turns %d; turn %d; score rat:%s python:%s; mud_timers rat:%d python:%d; mud_targets",
		p.board.MaxTurns, s.Turn, s.Score[0], s.Score[1], s.Timer[0], s.Timer[1])
	for i, name := range Players {
		target := "-"
		if s.Timer[i] > 0 {
			target = p.board.CellName(s.Dest[i])
		}
		fmt.Fprintf(b, " %s:%s", name, target)
	}
	return b.String()
}

// MazeLines returns the lines maze, walls, mud and cheese of the protocol;
// walls and mud are there even when they are empty.
func (p *Position) MazeLines() []string {
	m := p.board.Maze
	cheese := []byte("cheese")
	for _, cell := range p.board.Cheese {
		if p.cheese.Has(int(cell)) {
			cheese = m.appendCell(append(cheese, ' '), cell)
		}
	}
	return []string{
		fmt.Sprintf("maze height:%d width:%d", m.Height, m.Width),
		m.passages("walls", m.walls),
		m.passages("mud", m.muds),
		string(cheese),
	}
}

// PlayerLines returns the protocol's lines player1 and player2 for players who
// are at the given cells.
func (p *Position) PlayerLines(at [2]Cell) []string {
	return []string{
		"player1 rat " + p.board.CellName(at[0]),
		"player2 python " + p.board.CellName(at[1]),
	}
}

func (m *Maze) appendCell(b []byte, cell Cell) []byte {
	x, y := m.XY(cell)
	b = strconv.AppendInt(append(b, '('), int64(x), 10)
	b = strconv.AppendInt(append(b, ','), int64(y), 10)
	return append(b, ')')
}

func (m *Maze) passages(word string, list []passage) string {
	b := []byte(word)
	for _, w := range list {
		b = m.appendCell(append(b, ' '), w.a)
		b = m.appendCell(append(b, '-'), w.b)
		if w.mud > 0 {
			b = strconv.AppendInt(append(b, ':'), int64(w.mud), 10)
		}
	}
	return string(b)
}
