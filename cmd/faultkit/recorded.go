//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"thera/engine/game"
)

// recordedKinds make the built-in engine behave like the engines in recorded
// sessions, one for each version of the protocol.
var recordedKinds = map[string]string{"recorded-v1": "v1", "recorded-v2": "v2"}

// recorded sits between the arena and the built-in engine. It announces no
// features, reports errors on stderr only, ignores limits and does not exit at
// the end of its input.
type recorded struct {
	v2       bool
	toEngine *io.PipeWriter
	errOut   io.Writer

	mu      sync.Mutex
	out     *bufio.Writer
	asked   string    // of the last set_position
	mark    string    // the finished position of a next_moves of v1, as text
	stopped time.Time // when v1 began to clear its table
	ready   time.Time // when v1 has cleared it for the first time
	held    string    // the set_position that waits for that, "" for none
}

// squareNames are what v1 cannot read.
var squareNames = regexp.MustCompile(`[:,#][A-E][1-5]`)

// clearing is the time that v1 needs between a stop and the next search, and
// firstClearing before the first one: a stop until then is lost.
const (
	clearing      = 45 * time.Millisecond
	firstClearing = 300 * time.Millisecond
)

// serveRecorded runs until quit. first is how long the engine clears its table before
// its first search.
func serveRecorded(ctx context.Context, server game.Player, protocol string, first time.Duration, in io.Reader, out, errOut io.Writer) error {
	toRead, toEngine := io.Pipe()
	fromEngine, toWrite := io.Pipe()
	r := &recorded{v2: protocol == "v2", toEngine: toEngine, errOut: errOut, out: bufio.NewWriter(out), ready: time.Now().Add(first)}
	served := make(chan error, 1)
	go func() {
		err := server.Serve(ctx, []string{"--protocol", protocol}, toRead, toWrite, errOut)
		served <- err
		toWrite.CloseWithError(io.EOF)
		toRead.Close()
	}()
	passed := make(chan struct{})
	go func() {
		defer close(passed)
		lines := bufio.NewReader(fromEngine)
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			r.convert(bytes.TrimSpace(line))
		}
	}()
	lines := bufio.NewReader(in)
	for {
		text, err := lines.ReadString('\n')
		if err != nil && text == "" {
			return r.goOn(ctx)
		}
		if !r.command(strings.TrimSpace(text)) {
			toEngine.Close()
			err := <-served
			<-passed
			return err
		}
	}
}

// goOn is what the recorded engines do at the end of their input, which they take for
// empty commands.
func (r *recorded) goOn(ctx context.Context) error {
	for ctx.Err() == nil {
		r.say([]byte("empty command"))
		time.Sleep(10 * time.Millisecond)
	}
	return ctx.Err()
}

func (r *recorded) say(line []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, _ = r.out.Write(append(line, '\n'))
	_ = r.out.Flush()
}

func (r *recorded) complain(format string, args ...any) {
	fmt.Fprintf(r.errOut, "Error: "+format+"\n", args...)
}

// command handles one command; it returns false for quit.
func (r *recorded) command(text string) bool {
	words := strings.Fields(text)
	if len(words) == 0 {
		r.say([]byte("empty command"))
		return true
	}
	switch command := strings.ToLower(words[0]); command {
	case "quit":
		return false
	case "ping", "stop": // in order: a ping fences a list of moves
		if command == "stop" && time.Now().Before(r.ready) {
			r.complain("Attempted to stop, but no active execution")
			break
		}
		r.send(command)
	case "set_position", "next_moves":
		if len(words) != 2 {
			r.complain("%s should be followed by a single FEN string", command)
			break
		}
		over := strings.Contains(words[1], "#")
		switch {
		case strings.Count(words[1], "#") > 1:
			r.complain("Error parsing FEN: Cannot have both players won")
		case !r.v2 && squareNames.MatchString(words[1]):
			r.complain("Error parsing FEN: a worker's square is no number")
		case over && command == "set_position":
			r.complain("Cannot search for position in terminal state")
		case over && r.v2:
			r.complain("Cannot look for next moves from terminal state")
		default:
			r.ask(command, words[1])
		}
	default:
		r.complain("Skipping unknown command: %s", text)
	}
	return true
}

// ask passes a question on. v1 does not notice that a game is over and lists
// moves.
func (r *recorded) ask(command, position string) {
	r.mu.Lock()
	wait := time.Until(r.stopped.Add(clearing))
	if command == "next_moves" {
		r.mark = ""
		if strings.Contains(position, "#") {
			r.mark, position = position, strings.ReplaceAll(position, "#", "")
		}
	} else {
		r.asked = position
		if first := time.Until(r.ready); first > 0 {
			if r.held == "" {
				time.AfterFunc(first, r.release)
			}
			r.held = position
			r.mu.Unlock()
			return
		}
	}
	r.mu.Unlock()
	if command == "set_position" && !r.v2 && wait > 0 {
		<-time.After(wait)
	}
	r.send(command + " " + position)
}

// release begins the search that waited for the first clearing.
func (r *recorded) release() {
	r.mu.Lock()
	position := r.held
	r.mu.Unlock()
	r.send("set_position " + position)
}

func (r *recorded) send(line string) { _, _ = io.WriteString(r.toEngine, line+"\n") }

type recordedMeta struct {
	Score     int64             `json:"score"`
	Depth     int               `json:"calculated_depth"`
	Nodes     *int64            `json:"nodes_visited,omitempty"`
	Elapsed   float64           `json:"elapsed_seconds"`
	Actions   []json.RawMessage `json:"actions"`
	ActionStr string            `json:"action_str,omitempty"`
	Trigger   string            `json:"trigger,omitempty"` // the built-in engine's position of this field
}

type recordedNext struct {
	Next    string            `json:"next_state"`
	Actions []json.RawMessage `json:"actions"`
}

type recordedLine struct {
	Type     string         `json:"type"`
	Original string         `json:"original_str,omitempty"`
	Start    string         `json:"start_state,omitempty"`
	Next     string         `json:"next_state,omitempty"`
	Trigger  string         `json:"trigger,omitempty"`
	Meta     *recordedMeta  `json:"meta,omitempty"`
	States   []recordedNext `json:"next_states,omitempty"`
	Message  string         `json:"message,omitempty"`
}

// convert changes a line of the built-in engine to the recorded form.
func (r *recorded) convert(line []byte) {
	if string(line) == "pong" {
		r.say(line)
		return
	}
	var l recordedLine
	if err := json.Unmarshal(line, &l); err != nil {
		r.complain("%v in %q", err, line)
		return
	}
	switch l.Type {
	case "error":
		r.complain("Error parsing FEN: %s", l.Message)
		return
	case "best_move":
		r.best(&l)
	case "next_moves":
		r.mu.Lock()
		over := r.mark != ""
		r.mu.Unlock()
		if !r.v2 {
			l.Start = r.form(l.Start, over)
			for i := range l.States {
				l.States[i].Next = r.form(l.States[i].Next, over)
				spell(l.States[i].Actions)
			}
		}
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(&l); err != nil {
		r.complain("%v", err)
		return
	}
	r.say(bytes.TrimSpace(text.Bytes()))
}

func (r *recorded) best(l *recordedLine) {
	l.Trigger, l.Meta.Trigger = l.Meta.Trigger, ""
	if r.v2 {
		fmt.Fprintf(r.errOut, "best move: BestSearchResult { child_state: %s, action_str: %q, score: %d, depth: %d, nodes_visited: %d }\n",
			l.Next, l.Meta.ActionStr, l.Meta.Score, l.Meta.Depth, *l.Meta.Nodes)
		return
	}
	l.Next, l.Meta.Nodes = r.form(l.Next, false), nil
	spell(l.Meta.Actions)
	if l.Trigger == "stop_flag" {
		r.mu.Lock()
		r.stopped = time.Now()
		r.mu.Unlock()
	}
}

// form puts the winner's mark where v1 engines print it: before the god of
// player 1, before the workers of player 2. A finished position keeps player
// 1's mark, whatever is played afterwards.
func (r *recorded) form(text string, over bool) string {
	parts := strings.Split(text, "/")
	if len(parts) != 4 {
		return text
	}
	won := [2]bool{strings.Contains(parts[2], "#"), strings.Contains(parts[3], "#")}
	if over {
		r.mu.Lock()
		before := strings.Split(r.mark, "/")
		r.mu.Unlock()
		if len(before) == 4 {
			won = [2]bool{strings.Contains(before[2], "#"), strings.Contains(before[3], "#")}
		}
	}
	parts[2], parts[3] = strings.ReplaceAll(parts[2], "#", ""), strings.ReplaceAll(parts[3], "#", "")
	if won[0] {
		parts[2] = "#" + parts[2]
	}
	if won[1] {
		parts[3] = strings.Replace(parts[3], ":", ":#", 1)
	}
	return strings.Join(parts, "/")
}

// spell writes squares by name: {"type":"build","value":"B3"}.
func spell(actions []json.RawMessage) {
	for i, raw := range actions {
		var a struct {
			Type      string `json:"type"`
			Selection *int   `json:"selection"`
		}
		if json.Unmarshal(raw, &a) != nil || a.Selection == nil {
			continue
		}
		square := string(rune('A'+*a.Selection%5)) + strconv.Itoa(5-*a.Selection/5)
		actions[i] = json.RawMessage(fmt.Sprintf(`{"type":%q,"value":%q}`, a.Type, square))
	}
}

// runRecorded is the whole program with the behaviour of a recorded engine.
func runRecorded(kind string) int {
	server, err := engineOf("santorini")
	if err == nil {
		var first time.Duration
		if recordedKinds[kind] == "v1" {
			first = firstClearing
		}
		err = serveRecorded(context.Background(), server, recordedKinds[kind], first, os.Stdin, os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "faultkit: %v\n", err)
		return 1
	}
	return 0
}
