package protocol

import (
	"fmt"
	"strings"

	"thera/engine/game"
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

// recover sends where a game stands: the maze with the cheese that is left,
// the starts, all turns, the present cells and the score. Common clients need
// the players' lines too and ignore the history.
func (s *session) recover(history *game.History) error {
	p, start := history.Position.(*rules.Position), history.Start().Position.(*rules.Position)
	if s.adapted {
		s.known, s.fresh = history, true
		return s.describe("newgame", p, p.State().At)
	}
	if start.State().Timer != [2]int16{} {
		s.Conn.Warn("the game starts in mud, which the protocol cannot tell")
	}
	if err := s.describe("recover", p, start.State().At); err != nil {
		return err
	}
	played := []string{"moves_history"}
	before := start
	for _, at := range path(history) {
		played = append(played, moveWords(before, at.Turn)...)
		before = at.Position.(*rules.Position)
	}
	s.known, s.fresh = history, false
	state := p.State()
	return s.sayAll([]string{
		strings.Join(played, " "),
		fmt.Sprintf("current_position rat:%s python:%s", p.Board().CellName(state.At[0]), p.Board().CellName(state.At[1])),
		fmt.Sprintf("score rat:%s python:%s", state.Score[0], state.Score[1]),
	})
}
