package protocol

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/santorini/internal/santorinitest"
	"thera/engine/santorini/player"
	"thera/engine/santorini/rules"
)

const (
	winIn1 = "0000000000002300000000000/1/mortal:1,12/mortal:20,24"
)

// console talks to the built-in engine line by line.
type console struct {
	t *testing.T
	*gametest.Conn
}

func newConsole(t *testing.T, args ...string) *console {
	t.Helper()
	c := &console{t, gametest.Join(t, Player{}, args...)}
	if first := c.message(); first.Type != KindStarted || strings.Join(first.Features, " ") != "limits new_game v2" {
		t.Fatalf("first line is %+v", first)
	}
	return c
}

func (c *console) send(line string) {
	c.t.Helper()
	if err := errors.Join(c.Send([]byte(line)), c.Flush()); err != nil {
		c.t.Fatal(err)
	}
}

func (c *console) read() string {
	c.t.Helper()
	c.Arm(5*time.Minute, 5*time.Minute)
	line, err := c.Recv(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	return string(line)
}

// message is any line of the engine.
type message struct {
	Type     string         `json:"type"`
	Start    string         `json:"start_state"`
	Next     string         `json:"next_state"`
	Original string         `json:"original_str"`
	Trigger  player.Trigger `json:"trigger"`
	Message  string         `json:"message"`
	Command  string         `json:"command"`
	Features []string       `json:"features"`
	States   []struct {
		Next    string            `json:"next_state"`
		Actions []json.RawMessage `json:"actions"`
	} `json:"next_states"`
	Meta struct {
		Depth   int               `json:"calculated_depth"`
		Elapsed *float64          `json:"elapsed_seconds"`
		Score   *int              `json:"score"`
		Nodes   int64             `json:"nodes_visited"`
		Trigger player.Trigger    `json:"trigger"`
		Actions []json.RawMessage `json:"actions"`
		PV      []string          `json:"pv"`
	} `json:"meta"`
}

func (c *console) message() message {
	c.t.Helper()
	line := c.read()
	var m message
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		c.t.Fatalf("%s: %v", line, err)
	}
	return m
}

// until reads best_move lines until one has the trigger.
func (c *console) until(why player.Trigger) (all []message) {
	c.t.Helper()
	for {
		m := c.message()
		if m.Type != KindBestMove {
			c.t.Fatalf("a %s line in between: %+v", m.Type, m)
		}
		all = append(all, m)
		if m.Meta.Trigger == why {
			return all
		}
	}
}

// silent fails if the engine has said anything before it answers a ping.
func (c *console) silent() {
	c.t.Helper()
	c.send("ping")
	if line := c.read(); line != "pong" {
		c.t.Fatalf("said %s before the pong", line)
	}
}

func TestSetPositionImproves(t *testing.T) {
	c := newConsole(t)
	c.send("set_position " + santorinitest.StartText + " depth 4")
	lines := c.until(player.TriggerLimit)
	if len(lines) < 4 {
		t.Errorf("%d lines up to depth 4", len(lines))
	}
	depth := 0
	for _, m := range lines {
		if m.Start != santorinitest.StartText || m.Meta.Elapsed == nil || m.Meta.Score == nil || len(m.Meta.Actions) != 3 {
			t.Errorf("incomplete line %+v", m)
		}
		if m.Meta.Depth < depth {
			t.Errorf("depth falls from %d to %d", depth, m.Meta.Depth)
		}
		depth = m.Meta.Depth
		from := santorinitest.MustParse(t, m.Start)
		next := santorinitest.MustParse(t, m.Next)
		if _, ok := rules.NewMoveList().Find(&from, &next); !ok {
			t.Errorf("%s is no next state", m.Next)
		}
		if len(m.Meta.PV) == 0 || m.Meta.PV[0] != m.Next {
			t.Errorf("the variation %v does not begin with %s", m.Meta.PV, m.Next)
		}
	}
	if last := lines[len(lines)-1]; last.Meta.Depth != 4 || last.Meta.Nodes == 0 {
		t.Errorf("last line is %+v", last)
	}
	c.silent()
}

// TestConversation is one long session: commands are answered while a search goes on, an error
// changes nothing, a new position ends the search before it without a word, and quit ends all.
func TestConversation(t *testing.T) {
	c := newConsole(t)
	c.send("")
	c.send("  ping  \r")
	if line := c.read(); line != "pong" {
		t.Errorf("ping answered by %s", line)
	}
	c.send("set_position " + santorinitest.StartText)
	c.send("next_moves " + winIn1)
	c.send("set_position nonsense")
	for _, want := range []string{KindNextMoves, KindError} {
		m := c.message()
		for m.Type == KindBestMove {
			m = c.message()
		}
		if m.Type != want {
			t.Errorf("answered by %+v, want %s", m, want)
		}
	}
	c.send("stop")
	if m := c.until(player.TriggerStop); m[len(m)-1].Start != santorinitest.StartText || m[len(m)-1].Next == "" {
		t.Errorf("stop ended another search: %+v", m)
	}
	c.silent()
	c.send("stop") // idle
	c.silent()
	c.send("set_position " + santorinitest.StartText)
	for c.message().Meta.Depth < 2 {
	}
	c.send("set_position " + winIn1)
	for m := c.message(); m.Start != winIn1 || m.Meta.Trigger != player.TriggerEndOfLine; m = c.message() {
		if m.Start == santorinitest.StartText && m.Meta.Trigger != player.TriggerImprovement {
			t.Errorf("the old search says goodbye: %+v", m)
		}
	}
	c.silent()
	c.send("set_position " + santorinitest.StartText)
	c.message()
	c.send("quit") // Join's clean-up holds the engine to its end
	var fault *game.Fault
	for err := error(nil); fault == nil; _, err = c.Recv(t.Context()) {
		if err != nil && (!errors.As(err, &fault) || fault.Kind != game.FaultExited) {
			t.Fatalf("ended with %v", err)
		}
	}
}
