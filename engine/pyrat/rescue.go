package pyrat

import (
	"fmt"

	"thera/engine/pyrat/rules"
)

// rescue is what recover says beside the maze.
type rescue struct {
	history [][2]rules.Move
	at      [2]rules.Cell
	placed  bool
}

// read takes one of its lines.
func (r *rescue) read(d *rules.Reader, word string, args []string, line string) error {
	switch word {
	case "moves_history":
		if len(args)%2 != 0 {
			return fmt.Errorf("moves_history of %d moves: want pairs", len(args))
		}
		for i := 0; i < len(args); i += 2 {
			a, okA := rules.ParseMove(args[i])
			b, okB := rules.ParseMove(args[i+1])
			if !okA || !okB {
				return fmt.Errorf("moves_history: unknown move in %s %s", args[i], args[i+1])
			}
			r.history = append(r.history, [2]rules.Move{a, b})
		}
	case "current_position":
		if !d.HasMaze() {
			return fmt.Errorf("current_position before maze")
		}
		pair, err := rules.ParsePair(args)
		if err != nil {
			return fmt.Errorf("current_position %w", err)
		}
		for i, text := range pair {
			if r.at[i], err = d.Cell(text); err != nil {
				return fmt.Errorf("current_position %w", err)
			}
		}
		r.placed = true
	default: // score
		_, err := d.Read(line)
		return err
	}
	return nil
}

// position is the state in which to go on.
func (r *rescue) position(d *rules.Reader) (*rules.Position, error) {
	if !r.placed {
		return d.Recover(r.history, nil)
	}
	return d.Recover(r.history, &r.at)
}
