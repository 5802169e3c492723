package pyrat

import (
	"fmt"
	"strconv"
	"strings"
)

// String is the protocol's own lines and the running figures, joined by "; ".
func (p *position) String() string {
	b := &strings.Builder{}
	for _, line := range p.lines() {
		b.WriteString(line)
		b.WriteString("; ")
	}
	fmt.Fprintf(b, "max_turns %d; turn %d; score %s; mud_timers rat:%d python:%d; mud_targets",
		p.board.maxTurns, p.turn, p.scoreText(), p.timer[0], p.timer[1])
	for i, name := range names {
		target := "-"
		if p.timer[i] > 0 {
			target = p.board.name(p.dest[i])
		}
		fmt.Fprintf(b, " %s:%s", name, target)
	}
	return b.String()
}

// names are the players, by seat.
var names = [2]string{"rat", "python"}

// lines are maze, walls, mud, cheese and players as the protocol sends them;
// walls and mud stand there also when empty, and a player in mud is at its
// origin.
func (p *position) lines() []string {
	return append(p.mazeLines(), p.playerLines(p.at)...)
}

func (p *position) mazeLines() []string {
	m := p.board.maze
	return []string{
		fmt.Sprintf("maze height:%d width:%d", m.height, m.width),
		m.list("walls", m.walls),
		m.list("mud", m.muds),
		p.cheeseLine(),
	}
}

func (p *position) cheeseLine() string {
	b := []byte("cheese")
	for _, cell := range p.remaining() {
		b = p.board.appendCell(append(b, ' '), cell)
	}
	return string(b)
}

func (p *position) playerLines(at [2]int16) []string {
	return []string{
		"player1 rat " + p.board.name(at[0]),
		"player2 python " + p.board.name(at[1]),
	}
}

func (m *maze) appendCell(b []byte, cell int16) []byte {
	x, y := m.xy(cell)
	b = strconv.AppendInt(append(b, '('), int64(x), 10)
	b = strconv.AppendInt(append(b, ','), int64(y), 10)
	return append(b, ')')
}

func (m *maze) list(word string, passages []passage) string {
	b := []byte(word)
	for _, w := range passages {
		b = m.appendCell(append(b, ' '), w.a)
		b = m.appendCell(append(b, '-'), w.b)
		if w.mud > 0 {
			b = strconv.AppendInt(append(b, ':'), int64(w.mud), 10)
		}
	}
	return string(b)
}

func (p *position) scoreText() string {
	return fmt.Sprintf("rat:%s python:%s", halves(p.score[0]), halves(p.score[1]))
}

// halves prints half points: 2, 2.5.
func halves(n int32) string {
	return strconv.FormatFloat(float64(n)/2, 'f', -1, 64)
}
