package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// ErrOther is the error of a line that is not an answer to next_moves.
var ErrOther = errors.New("not a list of next states")

// ReadList reads an answer to next_moves: the position that it is about and the
// distinct next states, sorted, as canonical writes them. The entries are read one by
// one: a list of 64 MiB needs little more than its distinct states.
func ReadList(line []byte, canonical func(string) (string, error)) (start string, states []string, err error) {
	dec := json.NewDecoder(bytes.NewReader(line))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') || !bytes.Contains(line, []byte(`"next_moves"`)) {
		return "", nil, ErrOther
	}
	kind := ""
	for dec.More() {
		key, err := dec.Token()
		switch {
		case err != nil:
		case key == "type":
			err = dec.Decode(&kind)
		case key == "start_state":
			err = dec.Decode(&start)
		case key == "next_states":
			states, err = readStates(dec, canonical)
		default:
			err = dec.Decode(new(json.RawMessage))
		}
		if err != nil {
			return "", nil, fmt.Errorf("a list of next states: %w", err)
		}
	}
	if kind != "next_moves" {
		return "", nil, ErrOther
	}
	if _, err := dec.Token(); err != nil {
		return "", nil, fmt.Errorf("a list of next states: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return "", nil, errors.New("a list of next states: more behind its end")
	}
	slices.Sort(states)
	return start, slices.Compact(states), nil
}

// readStates reads the array of entries.
func readStates(dec *json.Decoder, canonical func(string) (string, error)) ([]string, error) {
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return nil, fmt.Errorf("next_states: not an array")
	}
	states, seen := []string{}, map[string]bool{}
	for i := 0; dec.More(); i++ {
		var entry struct {
			Next string `json:"next_state"`
		}
		if err := dec.Decode(&entry); err != nil {
			return nil, fmt.Errorf("next_states[%d]: %w", i, err)
		}
		if entry.Next == "" {
			return nil, fmt.Errorf("next_states[%d]: no next_state", i)
		}
		if seen[entry.Next] {
			continue // another chain of actions to the same state
		}
		seen[entry.Next] = true
		text, err := canonical(entry.Next)
		if err != nil {
			return nil, fmt.Errorf("next_states[%d]: %w", i, err)
		}
		states = append(states, text)
	}
	_, err := dec.Token()
	return states, err
}
