package protocol

import (
	"encoding/json"
	"fmt"
	"math"
)

// Answer is one JSON line of an engine, as far as the arena uses it. Its byte slices
// may point into the line.
type Answer struct {
	Kind     string // the type of the line, for example KindBestMove
	Start    []byte // start_state, a position
	Next     []byte // next_state, a position
	Trigger  []byte // why a best_move was sent
	PV       []byte // the principal variation, as JSON
	Depth    int
	Nodes    int64
	Score    int
	HasScore bool

	Features []string // of started
	Message  string   // of error
	Command  string   // of error: the command that was refused
}

// The kinds of lines.
const (
	KindStarted   = "started"
	KindBestMove  = "best_move"
	KindNextMoves = "next_moves"
	KindError     = "error"
)

// ReadAnswer reads one line. An ordinary best_move costs no allocation.
func ReadAnswer(line []byte) (Answer, error) {
	if a, ok := scanBest(line); ok {
		return a, nil
	}
	return decodeAnswer(line)
}

// scanBest reads an ordinary best_move without allocation. It returns false for any
// other line.
func scanBest(line []byte) (a Answer, ok bool) {
	w := scanner{text: line}
	var inner []byte // engines of v1 have the trigger in meta
	w.object(func(key []byte) {
		switch string(key) {
		case "type":
			a.Kind = KindBestMove
			w.bad = string(w.plain()) != KindBestMove || w.bad
		case "start_state":
			a.Start = w.plain()
		case "next_state":
			a.Next = w.plain()
		case "trigger":
			a.Trigger = w.plain()
		case "meta":
			w.object(func(key []byte) {
				if string(key) == "trigger" {
					inner = w.plain()
					return
				}
				scanMeta(&w, &a, key)
			})
		case "features", "message", "command":
			w.bad = true
		default:
			w.value(0)
		}
	})
	if len(a.Trigger) == 0 {
		a.Trigger = inner
	}
	return a, w.next() == 0 && w.at == len(line) && !w.bad && a.Kind != ""
}

// scanMeta reads one member of meta.
func scanMeta(w *scanner, a *Answer, key []byte) {
	switch string(key) {
	case "calculated_depth":
		a.Depth = clampInt(w.whole())
	case "nodes_visited":
		a.Nodes = w.whole()
	case "score":
		a.Score, a.HasScore = clampInt(w.whole()), true
	case "pv":
		a.PV = w.value(0)
	default:
		w.value(0)
	}
}

func clampInt(n int64) int { return int(min(max(n, math.MinInt32), math.MaxInt32)) }

// decodeAnswer reads any line with encoding/json. It truncates fractions.
func decodeAnswer(line []byte) (Answer, error) {
	var msg struct {
		Type     string   `json:"type"`
		Start    string   `json:"start_state"`
		Next     string   `json:"next_state"`
		Trigger  string   `json:"trigger"`
		Features []string `json:"features"`
		Message  string   `json:"message"`
		Command  string   `json:"command"`
		Meta     struct {
			Depth   float64         `json:"calculated_depth"`
			Nodes   float64         `json:"nodes_visited"`
			Score   *float64        `json:"score"`
			Trigger string          `json:"trigger"`
			PV      json.RawMessage `json:"pv"`
		} `json:"meta"`
	}
	if err := json.Unmarshal(line, &msg); err != nil {
		return Answer{}, fmt.Errorf("not a JSON object: %w", err)
	}
	if msg.Type == "" {
		return Answer{}, fmt.Errorf(`no "type"`)
	}
	a := Answer{
		Kind: msg.Type, Start: []byte(msg.Start), Next: []byte(msg.Next), Trigger: []byte(msg.Trigger),
		Features: msg.Features, Message: msg.Message, Command: msg.Command,
		Depth: clampInt(wholeOf(msg.Meta.Depth)), Nodes: wholeOf(msg.Meta.Nodes),
		PV: msg.Meta.PV,
	}
	if msg.Trigger == "" {
		a.Trigger = []byte(msg.Meta.Trigger)
	}
	if msg.Meta.Score != nil {
		a.Score, a.HasScore = clampInt(wholeOf(*msg.Meta.Score)), true
	}
	return a, nil
}

// wholeOf truncates a JSON number to an integer in the range of an int64.
func wholeOf(f float64) int64 {
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}
