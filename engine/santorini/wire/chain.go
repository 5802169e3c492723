package wire

import (
	"encoding/json"
	"fmt"
	"strconv"

	"thera/engine/santorini/rules"
)

// step is one element of a chain of actions. The text of protocol v1 has a
// `selection` with an index; engines print a `value` with the name or index of a
// square, or an object for a move of v2.
type step struct {
	kind     string
	square   int  // NoSquare if the action has none
	from, to int  // the move of an opponent's worker, NoSquare if there is none
	extra    bool // the element has more than these fields hold
}

// ChainBuffer is memory for reading chains. The zero value is ready to use.
type ChainBuffer [16]step

// The kinds of actions that ChainFault follows or knows.
const (
	stepSelect  = "select_worker"
	stepMove    = "move_worker"
	stepSwap    = "move_worker_with_swap"
	stepPush    = "move_worker_with_push"
	stepBuild   = "build"
	stepDome    = "dome"
	stepPlace   = "place_worker"
	stepNoMoves = "no_moves"
)

// readChain reads a chain of actions into buf.
func readChain(text []byte, buf []step) ([]step, error) {
	if steps, ok := scanChain(text, buf[:0]); ok {
		return steps, nil
	}
	return decodeChain(text)
}

// scanChain reads an ordinary chain of moves and builds without allocation. It
// returns false for any other chain.
func scanChain(text []byte, steps []step) (_ []step, ok bool) {
	w := scanner{text: text}
	w.array(func() {
		s := step{square: rules.NoSquare, from: rules.NoSquare, to: rules.NoSquare}
		w.object(func(key []byte) {
			switch string(key) {
			case "type":
				s.kind = stepWord(w.plain())
			case "selection", "value":
				if s.square != rules.NoSquare {
					w.fail()
				}
				w.square(&s.square)
			default:
				w.fail()
			}
		})
		if s.kind == "" || s.square == rules.NoSquare {
			w.fail()
		}
		steps = append(steps, s)
	})
	return steps, w.end()
}

// stepWord is the constant for an ordinary action, "" for any other word.
func stepWord(word []byte) string {
	switch string(word) {
	case stepSelect:
		return stepSelect
	case stepMove:
		return stepMove
	case stepBuild:
		return stepBuild
	}
	return ""
}

// square reads the index or name of a square, or {"dest":…,"meta":null} of v2.
func (w *scanner) square(at *int) {
	switch c := w.peek(); {
	case c == '{':
		w.object(func(key []byte) {
			switch {
			case string(key) == "dest" && w.peek() == '"':
				w.square(at)
			case string(key) == "meta" && w.peek() == 'n':
				w.skip(0)
			default:
				w.fail()
			}
		})
	case c == '"':
		if word := w.plain(); len(word) == 2 {
			*at = rules.ParseSquare(string(word))
		}
		if *at == rules.NoSquare {
			w.fail()
		}
	default:
		n := w.whole()
		if n < 0 || n >= rules.Squares {
			w.fail()
			return
		}
		*at = int(n)
	}
}

// decodeChain reads any chain with encoding/json.
func decodeChain(text []byte) ([]step, error) {
	var raw []struct {
		Type      string          `json:"type"`
		Selection json.RawMessage `json:"selection"`
		Value     json.RawMessage `json:"value"`
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, fmt.Errorf("actions: %w", err)
	}
	steps := make([]step, len(raw))
	for i, r := range raw {
		s := step{kind: r.Type, square: rules.NoSquare, from: rules.NoSquare, to: rules.NoSquare}
		value := r.Value
		if value == nil {
			value = r.Selection
		}
		if err := s.read(value); err != nil {
			return nil, fmt.Errorf("actions[%d]: %s: %w", i, r.Type, err)
		}
		steps[i] = s
	}
	return steps, nil
}

// read reads the value of an action.
func (s *step) read(value json.RawMessage) error {
	switch s.kind {
	case stepSelect, stepBuild, stepDome, stepPlace:
		return jsonSquare(value, &s.square)
	case stepMove, stepSwap, stepPush:
		if len(value) == 0 || value[0] != '{' {
			return jsonSquare(value, &s.square)
		}
		var move struct {
			Dest json.RawMessage `json:"dest"`
			Meta *struct {
				Type  string `json:"type"`
				Value struct {
					From json.RawMessage `json:"from"`
					To   json.RawMessage `json:"to"`
				} `json:"value"`
			} `json:"meta"`
		}
		if err := json.Unmarshal(value, &move); err != nil {
			return err
		}
		if err := jsonSquare(move.Dest, &s.square); err != nil {
			return fmt.Errorf("dest: %w", err)
		}
		if move.Meta == nil {
			return nil
		}
		if move.Meta.Type != "move_enemy_worker" {
			s.extra = true
			return nil
		}
		if err := jsonSquare(move.Meta.Value.From, &s.from); err != nil {
			return fmt.Errorf("from: %w", err)
		}
		if err := jsonSquare(move.Meta.Value.To, &s.to); err != nil {
			return fmt.Errorf("to: %w", err)
		}
		return nil
	case stepNoMoves:
		return nil
	}
	s.extra = true
	return nil
}

// jsonSquare reads 7, "7" or "C4".
func jsonSquare(raw json.RawMessage, at *int) error {
	text := string(raw)
	if len(text) >= 2 && text[0] == '"' {
		text = text[1 : len(text)-1]
		if s := rules.ParseSquare(text); s != rules.NoSquare {
			*at = s
			return nil
		}
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= rules.Squares {
		return fmt.Errorf("%s is not a square", raw)
	}
	*at = n
	return nil
}

// ChainFault says why a chain of actions does not lead from p to q, "" if it does.
// It follows chains only if both gods are basic: other powers do more than their
// actions say.
func ChainFault(p, q *rules.State, text []byte, buf *ChainBuffer) string {
	if len(text) == 0 {
		return "the answer has no actions"
	}
	steps, err := readChain(text, buf[:])
	if err != nil {
		return err.Error()
	}
	if rules.FastPath(p) == nil || !p.Gods[1-p.Mover&1].Basic() {
		return ""
	}
	got, why := follow(p, steps)
	switch {
	case why != "":
		return why
	case got.Workers != q.Workers:
		return "the actions leave the workers elsewhere"
	case got.Above != q.Above:
		return "the actions leave other heights"
	}
	return ""
}

// follow plays the actions on the board without checking the rules.
func follow(p *rules.State, steps []step) (rules.State, string) {
	next := *p
	me := p.Mover & 1
	selected := rules.NoSquare
	for i, s := range steps {
		switch s.kind {
		case stepSelect:
			if next.Workers[me]&rules.Bit(s.square) == 0 {
				return next, fmt.Sprintf("actions[%d]: no worker of the mover on %s", i, rules.SquareName(s.square))
			}
			selected = s.square
		case stepMove:
			switch {
			case selected == rules.NoSquare:
				return next, fmt.Sprintf("actions[%d]: no worker is selected", i)
			case next.Occupied()&rules.Bit(s.square) != 0:
				return next, fmt.Sprintf("actions[%d]: %s is occupied", i, rules.SquareName(s.square))
			}
			next.Workers[me] ^= rules.Bit(selected) | rules.Bit(s.square)
			selected = s.square
		case stepBuild:
			next.Raise(rules.Bit(s.square))
		case stepDome:
			next.Dome(rules.Bit(s.square))
		case stepNoMoves:
		default:
			return next, fmt.Sprintf("actions[%d]: a %s cannot occur here", i, s.kind)
		}
	}
	return next, ""
}
