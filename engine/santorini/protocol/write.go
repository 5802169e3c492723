package protocol

import (
	"encoding/json"
	"strconv"

	"thera/engine/santorini/rules"
)

// The built-in engine writes JSON by hand: next_moves answers thousands of states.
// Everything is ASCII except what Quote appends.

// Quote appends s as a JSON string.
func Quote(out []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil { // cannot happen for a string
		return append(out, `""`...)
	}
	return append(out, text...)
}

// AppendPosition appends a position as a JSON string.
func AppendPosition(out []byte, p *rules.State, f rules.Form) []byte {
	out = append(out, '"')
	out = rules.AppendText(out, p, f)
	return append(out, '"')
}

// AppendChain appends a chain of actions as JSON of protocol f.
func AppendChain(out []byte, chain []rules.Action, f rules.Form) []byte {
	out = append(out, '[')
	for i := range chain {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendAction(out, &chain[i], f)
	}
	return append(out, ']')
}

func appendAction(out []byte, a *rules.Action, f rules.Form) []byte {
	out = append(append(append(out, `{"type":"`...), a.Kind.String()...), '"')
	switch {
	case a.Kind == rules.NoMoves:
	case f == rules.V1 && inV1(a):
		out = strconv.AppendInt(append(out, `,"selection":`...), int64(a.At), 10)
	default:
		out = appendValue(append(out, `,"value":`...), a)
	}
	return append(out, '}')
}

// inV1 reports whether protocol v1 has a word for the action.
func inV1(a *rules.Action) bool {
	return a.Kind == rules.SelectWorker || a.Kind == rules.Build || a.Kind == rules.MoveWorker && !a.Female
}

// appendValue appends the "value" of an action of v2.
func appendValue(out []byte, a *rules.Action) []byte {
	switch a.Kind {
	case rules.MoveWorker, rules.MoveWithSwap, rules.MoveWithPush:
		out = append(appendName(append(out, `{"dest":`...), a.At), `,"meta":`...)
		switch {
		case a.Kind != rules.MoveWorker && a.To != rules.NoSquare:
			out = appendName(append(out, `{"type":"move_enemy_worker","value":{"from":`...), a.At)
			out = append(appendName(append(out, `,"to":`...), a.To), `}}`...)
		case a.Female:
			out = append(out, `{"type":"is_f_worker"}`...)
		default:
			out = append(out, "null"...)
		}
		return append(out, '}')
	case rules.ForceOpponent:
		out = appendName(append(out, '['), a.At)
		return append(appendName(append(out, ','), a.To), ']')
	case rules.SetWind:
		if a.At == rules.NoSquare {
			return append(out, "null"...)
		}
		return append(append(append(out, '"'), windWords[a.At]...), '"')
	}
	return appendName(out, a.At)
}

// windWords are the directions of aeolus' wind, as engines print them.
var windWords = [8]string{"N", "NE", "E", "SE", "S", "SW", "W", "NW"}

func appendName(out []byte, s int) []byte {
	if s == rules.NoSquare {
		return append(out, "null"...)
	}
	return append(out, '"', 'A'+byte(s%rules.Side), '5'-byte(s/rules.Side), '"')
}
