package pyrat

import "fmt"

// rescue is what recover says beside the maze.
type rescue struct {
	history [][2]uint8
	at      [2]int16
	placed  bool
}

// read takes one of its lines.
func (r *rescue) read(d *draft, word string, args []string, line string) error {
	switch word {
	case "moves_history":
		if len(args)%2 != 0 {
			return fmt.Errorf("moves_history of %d moves: want pairs", len(args))
		}
		for i := 0; i < len(args); i += 2 {
			a, okA := parseWord(args[i])
			b, okB := parseWord(args[i+1])
			if !okA || !okB {
				return fmt.Errorf("moves_history: unknown move in %s %s", args[i], args[i+1])
			}
			r.history = append(r.history, [2]uint8{a, b})
		}
	case "current_position":
		if d.maze == nil {
			return fmt.Errorf("current_position before maze")
		}
		rat, python, err := pairOf(args, names[0], names[1])
		if err != nil {
			return fmt.Errorf("current_position %w", err)
		}
		for i, text := range []string{rat, python} {
			if r.at[i], err = d.coordinates(text); err != nil {
				return fmt.Errorf("current_position %w", err)
			}
		}
		r.placed = true
	default: // score
		_, err := d.read(line)
		return err
	}
	return nil
}

// position is the state in which to go on. The protocol does not tell who is
// in mud; where the history leads from the starts to the present cells, it
// does.
func (r *rescue) position(d *draft) (*position, error) {
	from, started := d.at, d.told["player1"] && d.told["player2"]
	if r.placed {
		d.at = r.at
		d.told["player1"], d.told["player2"] = true, true
	}
	d.turn = len(r.history)
	p, err := d.position(Rules{})
	if err != nil || !started || !r.placed {
		return p, err
	}
	s := state{at: from, dest: from}
	for _, turn := range r.history {
		s.walk(d.maze, 0, turn[0])
		s.walk(d.maze, 1, turn[1])
	}
	if s.at == p.at {
		p.dest, p.timer = s.dest, s.timer
	}
	return p, nil
}
