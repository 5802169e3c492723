package santorini

import (
	"encoding/json"
	"strconv"
)

// Lines of the built-in engine are put together by hand: next_moves answers
// thousands of states. Everything written here is plain ASCII but for the
// texts that quote writes.

// quote appends s as a JSON string.
func quote(out []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil { // a string always has a JSON form
		return append(out, `""`...)
	}
	return append(out, text...)
}

// appendText appends a position as a JSON string.
func appendText(out []byte, p *state, f form) []byte {
	out = append(out, '"')
	out = p.appendTo(out, f)
	return append(out, '"')
}

// appendChain appends a chain of actions in dialect v1's or v2's words.
func appendChain(out []byte, chain []Action, f form) []byte {
	out = append(out, '[')
	for i := range chain {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendAction(out, &chain[i], f)
	}
	return append(out, ']')
}

func appendAction(out []byte, a *Action, f form) []byte {
	out = append(append(append(out, `{"type":"`...), a.Kind.String()...), '"')
	switch {
	case a.Kind == NoMoves:
	case f == formV1 && a.plain():
		out = strconv.AppendInt(append(out, `,"selection":`...), int64(a.At), 10)
	default:
		out = appendValue(append(out, `,"value":`...), a)
	}
	return append(out, '}')
}

// plain reports whether dialect v1 has a word for the action.
func (a *Action) plain() bool {
	return a.Kind == SelectWorker || a.Kind == Build || a.Kind == MoveWorker && !a.Female
}

// appendValue appends what v2 puts behind "value".
func appendValue(out []byte, a *Action) []byte {
	switch a.Kind {
	case MoveWorker, MoveWithSwap, MoveWithPush:
		out = append(appendName(append(out, `{"dest":`...), a.At), `,"meta":`...)
		switch {
		case a.Kind != MoveWorker && a.To != noSquare:
			out = appendName(append(out, `{"type":"move_enemy_worker","value":{"from":`...), a.At)
			out = append(appendName(append(out, `,"to":`...), a.To), `}}`...)
		case a.Female:
			out = append(out, `{"type":"is_f_worker"}`...)
		default:
			out = append(out, "null"...)
		}
		return append(out, '}')
	case ForceOpponent:
		out = appendName(append(out, '['), a.At)
		return append(appendName(append(out, ','), a.To), ']')
	case SetWind:
		if a.At == noSquare {
			return append(out, "null"...)
		}
		return append(append(append(out, '"'), windWords[a.At]...), '"')
	}
	return appendName(out, a.At)
}

// windWords are the directions of aeolus' wind, as engines print them.
var windWords = [8]string{"N", "NE", "E", "SE", "S", "SW", "W", "NW"}

func appendName(out []byte, s int) []byte {
	if s == noSquare {
		return append(out, "null"...)
	}
	return append(out, '"', 'A'+byte(s%side), '5'-byte(s/side), '"')
}
