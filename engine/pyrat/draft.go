package pyrat

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// draft is a position that is being read, line by line, from the protocol,
// from the one-line text or from a replay. What it was not told stays at the
// start of a game.
type draft struct {
	maze     *maze
	told     map[string]bool // first words seen
	cheese   []int16
	at       [2]int16
	maxTurns int
	turn     int
	score    [2]int32
	timer    [2]int
	target   [2]int16
}

func newDraft(maxTurns int) *draft {
	return &draft{told: map[string]bool{}, maxTurns: maxTurns, target: [2]int16{-1, -1}}
}

// read takes one line. known is false for a line whose first word it does not
// know.
func (d *draft) read(line string) (known bool, err error) {
	w := strings.Fields(line)
	if len(w) == 0 {
		return false, nil
	}
	word, args := w[0], w[1:]
	readers := map[string]func([]string) error{
		"maze": d.readMaze, "walls": d.readWalls, "mud": d.readMud, "cheese": d.readCheese,
		"player1": d.readPlayer, "player2": d.readPlayer, "max_turns": d.readCount, "turn": d.readCount,
		"score": d.readScore, "mud_timers": d.readTimers, "mud_targets": d.readTargets,
	}
	reader, known := readers[word]
	if !known {
		return false, nil
	}
	if d.told[word] {
		return true, fmt.Errorf("%s is given twice", word)
	}
	if d.maze == nil && word != "maze" {
		return true, fmt.Errorf("%s before maze", word)
	}
	d.told[word] = true
	if word[0] == 'p' || word == "turn" || word == "max_turns" {
		args = w // these need their own name
	}
	return true, reader(args)
}

// pairOf reads "name:value" words in the given order.
func pairOf(args []string, a, b string) (x, y string, err error) {
	if len(args) == 2 {
		x, okA := strings.CutPrefix(args[0], a+":")
		y, okB := strings.CutPrefix(args[1], b+":")
		if okA && okB {
			return x, y, nil
		}
	}
	return "", "", fmt.Errorf("%q: want %s:… %s:…", strings.Join(args, " "), a, b)
}

func (d *draft) readMaze(args []string) error {
	h, w, err := pairOf(args, "height", "width")
	if err != nil {
		return fmt.Errorf("maze %w", err)
	}
	height, err := number(h)
	if err != nil {
		return fmt.Errorf("maze height %w", err)
	}
	width, err := number(w)
	if err != nil {
		return fmt.Errorf("maze width %w", err)
	}
	if d.maze, err = newMaze(width, height); err != nil {
		return fmt.Errorf("maze %w", err)
	}
	return nil
}

// number reads a plain whole number from 0.
func number(text string) (int, error) {
	if text == "" || strings.Trim(text, "0123456789") != "" || len(text) > 9 {
		return 0, fmt.Errorf("%q: want a whole number", text)
	}
	return strconv.Atoi(text)
}

// coordinates reads "(x,y)" on the board.
func (d *draft) coordinates(text string) (int16, error) {
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
	if !d.maze.has(x, y) {
		return 0, fmt.Errorf("%s: off the board of %d x %d", text, d.maze.width, d.maze.height)
	}
	return d.maze.cell(x, y), nil
}

func (d *draft) passage(text string) (a, b int16, err error) {
	left, right, ok := strings.Cut(text, "-")
	if !ok {
		return 0, 0, fmt.Errorf("%q: want (x,y)-(x,y)", text)
	}
	if a, err = d.coordinates(left); err != nil {
		return 0, 0, err
	}
	b, err = d.coordinates(right)
	return a, b, err
}

func (d *draft) readWalls(args []string) error {
	for _, text := range args {
		a, b, err := d.passage(text)
		if err != nil {
			return fmt.Errorf("wall %s: %w", text, err)
		}
		if err := d.maze.wall(a, b); err != nil {
			return err
		}
	}
	return nil
}

func (d *draft) readMud(args []string) error {
	for _, text := range args {
		cells, value, ok := strings.Cut(text, ":")
		if !ok {
			return fmt.Errorf("mud %q: want (x,y)-(x,y):N", text)
		}
		a, b, err := d.passage(cells)
		if err != nil {
			return fmt.Errorf("mud %s: %w", text, err)
		}
		n, err := number(value)
		if err != nil {
			return fmt.Errorf("mud %s: value %w", text, err)
		}
		if err := d.maze.spread(a, b, n); err != nil {
			return err
		}
	}
	return nil
}

func (d *draft) readCheese(args []string) error {
	seen := map[int16]bool{}
	for _, text := range args {
		cell, err := d.coordinates(text)
		if err != nil {
			return fmt.Errorf("cheese %w", err)
		}
		if seen[cell] {
			return fmt.Errorf("cheese %s: two on one cell", text)
		}
		seen[cell] = true
		d.cheese = append(d.cheese, cell)
	}
	return nil
}

func (d *draft) readPlayer(w []string) (err error) {
	i := int(w[0][len("player")] - '1')
	if len(w) != 3 || w[1] != names[i] {
		return fmt.Errorf("%q: want %s %s (x,y)", strings.Join(w, " "), w[0], names[i])
	}
	if d.at[i], err = d.coordinates(w[2]); err != nil {
		return fmt.Errorf("%s %w", w[0], err)
	}
	return nil
}

func (d *draft) readCount(w []string) error {
	if len(w) != 2 {
		return fmt.Errorf("%q: want %s N", strings.Join(w, " "), w[0])
	}
	n, err := number(w[1])
	if err != nil {
		return fmt.Errorf("%s %w", w[0], err)
	}
	if w[0] == "turn" {
		d.turn = n
		return nil
	}
	if n < 1 {
		return fmt.Errorf("max_turns %d: want 1 or more", n)
	}
	d.maxTurns = n
	return nil
}

func (d *draft) readScore(args []string) error {
	a, b, err := pairOf(args, names[0], names[1])
	if err != nil {
		return fmt.Errorf("score %w", err)
	}
	for i, text := range []string{a, b} {
		points, err := strconv.ParseFloat(text, 64)
		if err != nil || !(points >= 0 && points < 1e6) || points*2 != float64(int32(points*2)) {
			return fmt.Errorf("score %s:%s: want whole or half points", names[i], text)
		}
		d.score[i] = int32(points * 2)
	}
	return nil
}

func (d *draft) readTimers(args []string) error {
	a, b, err := pairOf(args, names[0], names[1])
	if err != nil {
		return fmt.Errorf("mud_timers %w", err)
	}
	for i, text := range []string{a, b} {
		if d.timer[i], err = number(text); err != nil || d.timer[i] > maxMud {
			return fmt.Errorf("mud_timers %s:%s: want 0 to %d", names[i], text, maxMud)
		}
	}
	return nil
}

func (d *draft) readTargets(args []string) error {
	a, b, err := pairOf(args, names[0], names[1])
	if err != nil {
		return fmt.Errorf("mud_targets %w", err)
	}
	for i, text := range []string{a, b} {
		if text == "-" {
			continue
		}
		if d.target[i], err = d.coordinates(text); err != nil {
			return fmt.Errorf("mud_targets %s:%w", names[i], err)
		}
	}
	return nil
}

var errUnreachable = errors.New("neither side can reach it")

// position is what was read. All six lines of the protocol must have been
// there.
func (d *draft) position(rules Rules) (*position, error) {
	for _, word := range []string{"maze", "walls", "mud", "cheese", "player1", "player2"} {
		if !d.told[word] {
			return nil, fmt.Errorf("no %s line", word)
		}
	}
	p := &position{
		board:  &board{maze: d.maze, order: d.cheese, maxTurns: int32(d.maxTurns), rules: rules},
		cheese: newCheeses(d.maze.cells()),
	}
	p.at, p.dest, p.turn, p.score, p.left = d.at, d.at, int32(d.turn), d.score, int32(len(d.cheese))
	for i, n := range d.timer {
		to := d.target[i]
		switch {
		case n == 0 && to >= 0:
			return nil, fmt.Errorf("mud_targets %s:%s: its timer is 0", names[i], d.maze.name(to))
		case n == 0:
			continue
		case to < 0:
			return nil, fmt.Errorf("mud_timers %s:%d: it needs a target", names[i], n)
		}
		move, ok := d.maze.step(p.at[i], to)
		if !ok || d.maze.next[int(p.at[i])*moves+move] < 0 || int(d.maze.mud[int(p.at[i])*moves+move]) < n {
			return nil, fmt.Errorf("mud_targets %s:%s: no mud of at least %d leads there from %s", names[i], d.maze.name(to), n, d.maze.name(p.at[i]))
		}
		p.timer[i], p.dest[i] = int16(n), to
	}
	p.board.total = 2*p.left + p.score[0] + p.score[1]
	reach := d.maze.reached(p.dest[0], p.dest[1])
	for _, cell := range d.cheese {
		if !reach[cell] {
			return nil, fmt.Errorf("cheese %s: %w", d.maze.name(cell), errUnreachable)
		}
		p.cheese.add(cell)
	}
	return p, nil
}
