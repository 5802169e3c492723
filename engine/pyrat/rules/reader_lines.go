package rules

import (
	"fmt"
	"strconv"
	"strings"
)

func (r *Reader) readMaze(words []string) error {
	sides, err := cutPair(words[1:], [2]string{"height", "width"})
	if err != nil {
		return fmt.Errorf("maze %w", err)
	}
	height, err := number(sides[0])
	if err != nil {
		return fmt.Errorf("maze height %w", err)
	}
	width, err := number(sides[1])
	if err != nil {
		return fmt.Errorf("maze width %w", err)
	}
	if r.maze, err = newMaze(width, height); err != nil {
		return fmt.Errorf("maze %w", err)
	}
	return nil
}

func (r *Reader) readWalls(words []string) error {
	for _, text := range words[1:] {
		a, b, err := r.passage(text)
		if err != nil {
			return fmt.Errorf("wall %s: %w", text, err)
		}
		if err := r.maze.addWall(a, b); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) readMud(words []string) error {
	for _, text := range words[1:] {
		cells, value, ok := strings.Cut(text, ":")
		if !ok {
			return fmt.Errorf("mud %q: want (x,y)-(x,y):N", text)
		}
		a, b, err := r.passage(cells)
		if err != nil {
			return fmt.Errorf("mud %s: %w", text, err)
		}
		n, err := number(value)
		if err != nil {
			return fmt.Errorf("mud %s: value %w", text, err)
		}
		if err := r.maze.addMud(a, b, n); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) readCheese(words []string) error {
	seen := map[Cell]bool{}
	for _, text := range words[1:] {
		cell, err := r.Cell(text)
		if err != nil {
			return fmt.Errorf("cheese %w", err)
		}
		if seen[cell] {
			return fmt.Errorf("cheese %s: two on one cell", text)
		}
		seen[cell] = true
		r.cheese = append(r.cheese, cell)
	}
	return nil
}

func (r *Reader) readPlayer(words []string) (err error) {
	i := int(words[0][len("player")] - '1')
	if len(words) != 3 || words[1] != Players[i] {
		return fmt.Errorf("%q: want %s %s (x,y)", strings.Join(words, " "), words[0], Players[i])
	}
	if r.state.At[i], err = r.Cell(words[2]); err != nil {
		return fmt.Errorf("%s %w", words[0], err)
	}
	return nil
}

// readCount reads the one number of a line.
func readCount(words []string) (int, error) {
	if len(words) != 2 {
		return 0, fmt.Errorf("%q: want %s N", strings.Join(words, " "), words[0])
	}
	n, err := number(words[1])
	if err != nil {
		return 0, fmt.Errorf("%s %w", words[0], err)
	}
	return n, nil
}

func (r *Reader) readMaxTurns(words []string) error {
	n, err := readCount(words)
	if err == nil && n < 1 {
		err = fmt.Errorf("max_turns %d: want 1 or more", n)
	}
	if err == nil {
		r.maxTurns = n
	}
	return err
}

func (r *Reader) readTurn(words []string) error {
	n, err := readCount(words)
	r.state.Turn = int32(n)
	return err
}

func (r *Reader) readScore(words []string) error {
	pair, err := ParsePair(words[1:])
	if err != nil {
		return fmt.Errorf("score %w", err)
	}
	for i, text := range pair {
		points, err := strconv.ParseFloat(text, 64)
		if err != nil || !(points >= 0 && points < 1e6) || points*2 != float64(Points(points*2)) {
			return fmt.Errorf("score %s:%s: want whole or half points", Players[i], text)
		}
		r.state.Score[i] = Points(points * 2)
	}
	return nil
}

func (r *Reader) readTimers(words []string) error {
	pair, err := ParsePair(words[1:])
	if err != nil {
		return fmt.Errorf("mud_timers %w", err)
	}
	for i, text := range pair {
		n, err := number(text)
		if err != nil || n > MaxMud {
			return fmt.Errorf("mud_timers %s:%s: want 0 to %d", Players[i], text, MaxMud)
		}
		r.state.Timer[i] = int16(n)
	}
	return nil
}

func (r *Reader) readTargets(words []string) error {
	pair, err := ParsePair(words[1:])
	if err != nil {
		return fmt.Errorf("mud_targets %w", err)
	}
	for i, text := range pair {
		if text == "-" {
			continue
		}
		if r.state.Dest[i], err = r.Cell(text); err != nil {
			return fmt.Errorf("mud_targets %s:%w", Players[i], err)
		}
	}
	return nil
}
