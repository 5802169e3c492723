package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// Reader reads a position line by line: from the protocol, from a position's
// text or from a replay. What no line says is as at the start of a game.
type Reader struct {
	settings Settings
	maze     *Maze
	seen     map[string]bool // first words of the lines so far
	cheese   []Cell
	maxTurns int
	state    State // Dest is where mud ends, -1 for nowhere
}

// NewReader returns a reader of positions under those settings.
func NewReader(settings Settings) *Reader {
	r := &Reader{settings: settings, seen: map[string]bool{}, maxTurns: defaultMaxTurns, state: State{Dest: [2]Cell{-1, -1}}}
	if settings.MaxTurns > 0 {
		r.maxTurns = settings.MaxTurns
	}
	return r
}

// Parse reads what String writes. Everything after the six lines of the
// protocol may be missing.
func Parse(text string, settings Settings) (*Position, error) {
	r := NewReader(settings)
	for i, line := range strings.Split(text, ";") {
		known, err := r.Read(line)
		if err != nil {
			return nil, fmt.Errorf("field %d: %w", i+1, err)
		}
		if !known {
			return nil, fmt.Errorf("field %d, %q: want maze, walls, mud, cheese, player1, player2, max_turns, turn, score, mud_timers or mud_targets", i+1, strings.TrimSpace(line))
		}
	}
	return r.Position()
}

// lineReaders read the words of a line, by its first word.
var lineReaders = map[string]func(r *Reader, words []string) error{
	"maze": (*Reader).readMaze, "walls": (*Reader).readWalls, "mud": (*Reader).readMud, "cheese": (*Reader).readCheese,
	"player1": (*Reader).readPlayer, "player2": (*Reader).readPlayer,
	"max_turns": (*Reader).readMaxTurns, "turn": (*Reader).readTurn, "score": (*Reader).readScore,
	"mud_timers": (*Reader).readTimers, "mud_targets": (*Reader).readTargets,
}

// Read takes one line. It does not know lines that begin with any other word
// than Parse does.
func (r *Reader) Read(line string) (known bool, err error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return false, nil
	}
	read, known := lineReaders[words[0]]
	switch {
	case !known:
		return false, nil
	case r.seen[words[0]]:
		return true, fmt.Errorf("%s is given twice", words[0])
	case r.maze == nil && words[0] != "maze":
		return true, fmt.Errorf("%s before maze", words[0])
	}
	r.seen[words[0]] = true
	return true, read(r, words)
}

// HasMaze reports whether the maze line has been read. All others come after
// it.
func (r *Reader) HasMaze() bool { return r.maze != nil }

// Optional allows lines to be missing.
func (r *Reader) Optional(words ...string) {
	for _, word := range words {
		r.seen[word] = true
	}
}

// ParsePair reads the words "rat:X" and "python:Y" and returns X and Y.
func ParsePair(words []string) ([2]string, error) { return cutPair(words, Players) }

// cutPair reads two words name:value, with the given names in that order.
func cutPair(words []string, names [2]string) ([2]string, error) {
	if len(words) == 2 {
		x, okX := strings.CutPrefix(words[0], names[0]+":")
		y, okY := strings.CutPrefix(words[1], names[1]+":")
		if okX && okY {
			return [2]string{x, y}, nil
		}
	}
	return [2]string{}, fmt.Errorf("%q: want %s:… %s:…", strings.Join(words, " "), names[0], names[1])
}

// number reads a whole number from 0.
func number(text string) (int, error) {
	if text == "" || strings.Trim(text, "0123456789") != "" || len(text) > 9 {
		return 0, fmt.Errorf("%q: want a whole number", text)
	}
	return strconv.Atoi(text)
}

// Cell reads a cell of the maze, which must be known, in the form (x,y).
func (r *Reader) Cell(text string) (Cell, error) {
	inner, okA := strings.CutPrefix(text, "(")
	inner, okB := strings.CutSuffix(inner, ")")
	a, b, okC := strings.Cut(inner, ",")
	if !okA || !okB || !okC {
		return 0, fmt.Errorf("%q: want (x,y)", text)
	}
	x, err := number(a)
	if err != nil {
		return 0, fmt.Errorf("%s: x %w", text, err)
	}
	y, err := number(b)
	if err != nil {
		return 0, fmt.Errorf("%s: y %w", text, err)
	}
	if !r.maze.has(x, y) {
		return 0, fmt.Errorf("%s: off the board of %d x %d", text, r.maze.Width, r.maze.Height)
	}
	return r.maze.cell(x, y), nil
}

func (r *Reader) passage(text string) (a, b Cell, err error) {
	left, right, ok := strings.Cut(text, "-")
	if !ok {
		return 0, 0, fmt.Errorf("%q: want (x,y)-(x,y)", text)
	}
	if a, err = r.Cell(left); err != nil {
		return 0, 0, err
	}
	b, err = r.Cell(right)
	return a, b, err
}

// Position returns the position that was read. All six lines of the protocol
// must have been there, except those that are optional.
func (r *Reader) Position() (*Position, error) {
	for _, word := range []string{"maze", "walls", "mud", "cheese", "player1", "player2"} {
		if !r.seen[word] {
			return nil, fmt.Errorf("no %s line", word)
		}
	}
	s, m := r.state, r.maze
	for i, n := range s.Timer {
		to := s.Dest[i]
		switch {
		case n == 0 && to >= 0:
			return nil, fmt.Errorf("mud_targets %s:%s: its timer is 0", Players[i], m.CellName(to))
		case n == 0:
			s.Dest[i] = s.At[i]
			continue
		case to < 0:
			return nil, fmt.Errorf("mud_timers %s:%d: it needs a target", Players[i], n)
		}
		move, ok := m.moveTo(s.At[i], to)
		if next, mud := m.Next(s.At[i], move); !ok || next < 0 || mud < n {
			return nil, fmt.Errorf("mud_targets %s:%s: no mud of at least %d leads there from %s", Players[i], m.CellName(to), n, m.CellName(s.At[i]))
		}
	}
	reachable := m.reachable(s.Dest[0], s.Dest[1])
	for _, cell := range r.cheese {
		if !reachable[cell] {
			return nil, fmt.Errorf("cheese %s: neither side can reach it", m.CellName(cell))
		}
	}
	return newPosition(m, r.cheese, r.maxTurns, r.settings, s), nil
}

// Recover returns the position after history, a game's turns so far. The
// cheese that was read is what is left, the players that were read are at
// their starts, and at, unless it is nil, is where they are now. The protocol
// does not say who is in mud; if the turns lead from the starts to at, that
// follows from them.
func (r *Reader) Recover(history [][2]Move, at *[2]Cell) (*Position, error) {
	starts, started := r.state.At, r.seen["player1"] && r.seen["player2"]
	if at != nil {
		r.state.At = *at
		r.Optional("player1", "player2")
	}
	r.state.Turn = int32(len(history))
	p, err := r.Position()
	if err != nil || !started || at == nil {
		return p, err
	}
	s := State{At: starts, Dest: starts}
	for _, turn := range history {
		s.move(r.maze, 0, turn[0])
		s.move(r.maze, 1, turn[1])
	}
	if s.At == p.state.At {
		p.state.Dest, p.state.Timer = s.Dest, s.Timer
	}
	return p, nil
}
