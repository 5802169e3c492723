package protocol

import (
	"fmt"

	"thera/engine/pyrat/rules"
)

// recovery is what recover says in addition to the maze.
type recovery struct {
	history [][2]rules.Move
	at      *[2]rules.Cell // nil if no line says where the players are
}

// read takes one of its lines; d has read the maze.
func (r *recovery) read(d *rules.Reader, word string, args []string, line string) error {
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
		var at [2]rules.Cell
		for i, text := range pair {
			if at[i], err = d.Cell(text); err != nil {
				return fmt.Errorf("current_position %w", err)
			}
		}
		r.at = &at
	default: // score
		_, err := d.Read(line)
		return err
	}
	return nil
}
