package santorini

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// step is one element of an action chain as engines print it: v1's text says
// `selection` with an index, real engines `value` with a square's name, an
// index, or v2's object for a move.
type step struct {
	kind     string
	square   int  // noSquare where the action has none
	from, to int  // an opponent's worker that is moved along, else noSquare
	extra    bool // says more than these fields hold
}

// The kinds of actions that change the board by themselves.
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

// readChain reads a chain of actions into buf's room.
func readChain(text []byte, buf []step) ([]step, error) {
	if steps, ok := scanChain(text, buf[:0]); ok {
		return steps, nil
	}
	return decodeChain(text)
}

// scanChain reads an ordinary chain of moves and builds without allocation; ok
// is false for all else.
func scanChain(text []byte, steps []step) (_ []step, ok bool) {
	w := jsonScan{text: text}
	w.array(func() {
		s := step{square: noSquare, from: noSquare, to: noSquare}
		w.object(func(key []byte) {
			switch string(key) {
			case "type":
				s.kind = stepWord(w.plain())
			case "selection", "value":
				if s.square != noSquare {
					w.fail()
				}
				w.square(&s.square)
			default:
				w.fail()
			}
		})
		if s.kind == "" || s.square == noSquare {
			w.fail()
		}
		steps = append(steps, s)
	})
	return steps, w.end()
}

// stepWord is the constant for an ordinary action, "" for all else.
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

// square reads an index, a square's name or v2's {"dest":…,"meta":null}.
func (w *jsonScan) square(at *int) {
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
			*at = squareOf(string(word))
		}
		if *at == noSquare {
			w.fail()
		}
	default:
		n := w.whole()
		if n < 0 || n >= squares {
			w.fail()
			return
		}
		*at = int(n)
	}
}

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
		s := step{kind: r.Type, square: noSquare, from: noSquare, to: noSquare}
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
		if s := squareOf(text); s != noSquare {
			*at = s
			return nil
		}
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= squares {
		return fmt.Errorf("%s is no square", raw)
	}
	*at = n
	return nil
}

// chainFault says where a chain does not lead from p to q, "" if it does or
// if the powers at play do more than actions say: chains are followed only
// where both gods turn by moves and builds alone.
func chainFault(p, q *state, text []byte, room []step) string {
	if len(text) == 0 {
		return "the answer has no actions"
	}
	steps, err := readChain(text, room)
	if err != nil {
		return err.Error()
	}
	if fastFor(p) == nil || gods[p.god[1-p.mover&1]].fast == nil {
		return ""
	}
	got, why := follow(p, steps)
	switch {
	case why != "":
		return why
	case got.workers != q.workers:
		return "the actions leave the workers elsewhere"
	case got.up != q.up:
		return "the actions leave other heights"
	}
	return ""
}

// follow plays the actions on the board alone, no rule asked.
func follow(p *state, steps []step) (state, string) {
	next := *p
	me := p.mover & 1
	held := noSquare
	for i, s := range steps {
		switch s.kind {
		case stepSelect:
			if next.workers[me]&bit(s.square) == 0 {
				return next, fmt.Sprintf("actions[%d]: no worker of the mover on %s", i, squareName(s.square))
			}
			held = s.square
		case stepMove:
			switch {
			case held == noSquare:
				return next, fmt.Sprintf("actions[%d]: no worker is selected", i)
			case next.occupied()&bit(s.square) != 0:
				return next, fmt.Sprintf("actions[%d]: %s is occupied", i, squareName(s.square))
			}
			next.workers[me] ^= bit(held) | bit(s.square)
			held = s.square
		case stepBuild:
			next.raise(bit(s.square))
		case stepDome:
			next.dome(bit(s.square))
		case stepNoMoves:
		default:
			return next, fmt.Sprintf("actions[%d]: a %s cannot occur here", i, s.kind)
		}
	}
	return next, ""
}
