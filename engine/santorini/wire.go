package santorini

import (
	"encoding/json"
	"fmt"
	"math"
)

// answer is one JSON line of an engine, as much of it as the arena uses. The
// byte slices point into the line.
type answer struct {
	kind    string // best_move, next_moves, started, status, error, …
	start   []byte
	next    []byte
	trigger []byte
	actions []byte // the chain, as JSON
	pv      []byte // as JSON
	depth   int
	nodes   int64
	score   int
	scored  bool

	features []string
	message  string // of error, with the command that it refuses
	command  string
	states   []json.RawMessage // of next_moves
}

// The kinds of lines.
const (
	kindStarted   = "started"
	kindBestMove  = "best_move"
	kindNextMoves = "next_moves"
	kindStatus    = "status"
	kindError     = "error"
)

// readAnswer reads one line; the error says why it is no answer.
func readAnswer(line []byte) (answer, error) {
	if a, ok := scanBest(line); ok {
		return a, nil
	}
	return decodeAnswer(line)
}

// scanBest reads an ordinary best_move line without allocation; ok is false
// for all else.
func scanBest(line []byte) (a answer, ok bool) {
	w := jsonScan{text: line}
	var inner []byte // v1's extended form has the trigger in meta
	w.object(func(key []byte) {
		switch string(key) {
		case "type":
			if string(w.plain()) != kindBestMove {
				w.fail()
			}
			a.kind = kindBestMove
		case "start_state":
			a.start = w.plain()
		case "next_state":
			a.next = w.plain()
		case "trigger":
			a.trigger = w.plain()
		case "meta":
			w.object(func(key []byte) {
				if string(key) == "trigger" {
					inner = w.plain()
					return
				}
				scanMeta(&w, &a, key)
			})
		case "features", "message", "command", "next_states":
			w.fail()
		default:
			w.skip(0)
		}
	})
	if a.trigger == nil {
		a.trigger = inner
	}
	return a, w.end() && a.kind != ""
}

func scanMeta(w *jsonScan, a *answer, key []byte) {
	switch string(key) {
	case "calculated_depth":
		a.depth = clampInt(w.whole())
	case "nodes_visited":
		a.nodes = w.whole()
	case "score":
		a.score, a.scored = clampInt(w.whole()), true
	case "actions":
		a.actions = w.skip(0)
	case "pv":
		a.pv = w.skip(0)
	default:
		w.skip(0)
	}
}

func clampInt(n int64) int { return int(min(max(n, math.MinInt32), math.MaxInt32)) }

// decodeAnswer reads any line with encoding/json. Numbers may be fractions;
// they are cut.
func decodeAnswer(line []byte) (answer, error) {
	var msg struct {
		Type     *string           `json:"type"`
		Start    *string           `json:"start_state"`
		Next     *string           `json:"next_state"`
		Trigger  *string           `json:"trigger"`
		Features []string          `json:"features"`
		Message  string            `json:"message"`
		Command  string            `json:"command"`
		States   []json.RawMessage `json:"next_states"`
		Meta     struct {
			Depth   float64         `json:"calculated_depth"`
			Nodes   float64         `json:"nodes_visited"`
			Score   *float64        `json:"score"`
			Trigger *string         `json:"trigger"`
			Actions json.RawMessage `json:"actions"`
			PV      json.RawMessage `json:"pv"`
		} `json:"meta"`
	}
	if err := json.Unmarshal(line, &msg); err != nil {
		return answer{}, fmt.Errorf("no JSON object: %w", err)
	}
	if msg.Type == nil {
		return answer{}, fmt.Errorf(`no "type"`)
	}
	a := answer{
		kind: *msg.Type, start: bytesOf(msg.Start), next: bytesOf(msg.Next), trigger: bytesOf(msg.Trigger),
		features: msg.Features, message: msg.Message, command: msg.Command, states: msg.States,
		depth: clampInt(wholeOf(msg.Meta.Depth)), nodes: wholeOf(msg.Meta.Nodes),
		actions: msg.Meta.Actions, pv: msg.Meta.PV,
	}
	if msg.Trigger == nil {
		a.trigger = bytesOf(msg.Meta.Trigger)
	}
	if msg.Meta.Score != nil {
		a.score, a.scored = clampInt(wholeOf(*msg.Meta.Score)), true
	}
	return a, nil
}

func bytesOf(s *string) []byte {
	if s == nil {
		return nil
	}
	return []byte(*s)
}

// wholeOf cuts a JSON number to an integer within what an int64 holds.
func wholeOf(f float64) int64 {
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}
