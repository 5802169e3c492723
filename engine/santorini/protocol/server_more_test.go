package protocol

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"thera/engine/santorini/internal/santorinitest"
	"thera/engine/santorini/player"
)

func TestServerErrors(t *testing.T) {
	c := newConsole(t)
	for _, tc := range []struct{ command, message string }{
		{"foo bar", `unknown command "foo"`},
		{"set_position", "wants a position"},
		{"set_position nonsense", "4"},
		{"set_position " + santorinitest.StartText + " movetime 0", "positive number"},
		{"set_position " + santorinitest.StartText + " depth 0", "depth"},
		{"set_position " + santorinitest.StartText + " nodes -1", "positive number"},
		{"set_position " + santorinitest.StartText + " fast", "unexpected"},
		{"set_position 0000000000002300000000000/2/mortal#:1,13/mortal:20,24", "game is over"},
		{"next_moves", "one position"},
		{"next_moves 0000000000002300000000000/2/mortal#:1,13/mortal:20,24", "game is over"},
		{"next_moves 0000000000000000000000000/1/mortal:11,25/mortal:7,17", "25"},
		{"set_option", "a name and a value"},
		{"set_option nothing 1", "nothing"},
		{"set_option hash many", "many"},
	} {
		c.send(tc.command)
		m := c.message()
		if m.Type != KindError || !strings.Contains(m.Message, tc.message) {
			t.Errorf("%s: answered by %q %q, want an error with %q", tc.command, m.Type, m.Message, tc.message)
		}
		if !strings.HasPrefix(tc.command, strings.TrimSuffix(m.Command, "...")) || m.Command == "" {
			t.Errorf("%s: the error names the command %q", tc.command, m.Command)
		}
	}
	c.send("set_position " + strings.Repeat("0", 2<<20))
	if m := c.message(); m.Type != KindError {
		t.Errorf("an endless line is answered by %+v", m)
	}
	c.silent()
}

func TestLimits(t *testing.T) {
	c := newConsole(t)
	c.send("set_position " + santorinitest.StartText + " depth 3")
	if m := c.until(player.TriggerLimit); m[len(m)-1].Meta.Depth != 3 {
		t.Errorf("depth 3 ended with %+v", m[len(m)-1].Meta)
	}
	c.send("new_game")
	c.send("set_position " + santorinitest.StartText + " nodes 5000 final")
	first := c.until(player.TriggerLimit)[0]
	if first.Meta.Nodes != 5000 {
		t.Errorf("nodes 5000 visited %d", first.Meta.Nodes)
	}
	c.send("new_game")
	c.send("set_position " + santorinitest.StartText + " nodes 5000 final")
	if again := c.until(player.TriggerLimit)[0]; again.Next != first.Next || again.Meta.Nodes != first.Meta.Nodes {
		t.Errorf("the same question has the answers %s and %s", first.Next, again.Next)
	}
	c.send("set_position " + santorinitest.StartText + " movetime 0.05 final")
	if m := c.until(player.TriggerLimit)[0]; *m.Meta.Elapsed < 0.03 {
		t.Errorf("50 ms ended after %g s", *m.Meta.Elapsed)
	}
}

func TestProvenEnds(t *testing.T) {
	c := newConsole(t)
	c.send("set_position " + winIn1)
	lines := c.until(player.TriggerEndOfLine)
	if last := lines[len(lines)-1]; !strings.Contains(last.Next, "mortal#:1,13") {
		t.Errorf("the win in one is answered by %s", last.Next)
	}
	c.send("set_position 0400004000440000000000000/1/mortal:0,5/mortal:23,24")
	lines = c.until(player.TriggerEndOfLine)
	if last := lines[len(lines)-1]; last.Next != "0400004000440000000000000/2/mortal:0,5/mortal#:23,24" || len(last.Meta.Actions) != 1 {
		t.Errorf("the blocked mover is answered by %+v", last)
	}
}

// TestAnswers checks single answers: the first line after a command.
func TestAnswers(t *testing.T) {
	const (
		blocked = "0400004000440000000000000/1/mortal:0,5/mortal:23,24"
		squares = "0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2"
		turn    = `{"type":"select_worker","selection":11},{"type":"move_worker","selection":5},{"type":"build","selection":0}`
	)
	for _, tt := range []struct{ protocol, command, want string }{
		{"v1", "next_moves " + blocked, `"next_states":[{"next_state":"0400004000440000000000000/2/mortal:0,5/mortal#:23,24","actions":[{"type":"no_moves"}]}]`},
		{"v1", "next_moves " + santorinitest.StartText, `{"next_state":"1000000000000000000000000/2/mortal:5,13/mortal:7,17","actions":[` + turn + `]}`},
		{"v1", "next_moves 0000000000000000000000000/1/artemis:11,13/mortal:7,17", `{"type":"move_worker","selection":1},{"type":"build","selection":0}]}`},
		{
			"v1", "next_moves 0000000000000000000000000/1/hephaestus:11,13/mortal:7,17",
			`{"next_state":"2000000000000000000000000/2/hephaestus:5,13/mortal:7,17","actions":[` + turn + `,{"type":"build","selection":0}]}`,
		},
		{"v2", "next_moves 0000000000000000000000000/1/mortal/mortal", `{"type":"place_worker","value":"A5"},{"type":"place_worker","value":"B5"}`},
		{"v1", "set_position " + squares + " depth 1 final", `/mortal:C4,C2","meta"`},
		{"v1", "set_position " + santorinitest.StartText + " depth 4 final", `"meta":{"calculated_depth":4`},
		{"v2", "set_position " + santorinitest.StartText + " depth 2 final", `"original_str":"` + santorinitest.StartText + `","start_state":"` + squares + `"`},
		{"v2", "set_position " + santorinitest.StartText + " depth 2 final", `{"type":"move_worker","value":{"dest":"`},
		{"v2", "set_position " + santorinitest.StartText + " depth 2 final", `","trigger":"limit","meta"`},
	} {
		c := newConsole(t, "--protocol", tt.protocol)
		c.send(tt.command)
		if line := c.read(); !strings.Contains(line, tt.want) {
			t.Errorf("%s %s: no %s in %.2000s", tt.protocol, tt.command, tt.want, line)
		}
		c.silent()
	}
}

func TestSetOption(t *testing.T) {
	c := newConsole(t)
	score := map[string]int{}
	for _, eval := range []string{"net", "hand"} {
		c.send("stop") // waits for the end of the search before
		c.send("set_option eval " + eval)
		c.silent()
		c.send("set_position " + santorinitest.StartText + " depth 1 final")
		score[eval] = *c.message().Meta.Score
	}
	if score["net"] == score["hand"] {
		t.Errorf("both evaluations say %d", score["net"])
	}
	c.send("stop")
	c.send("set_option eval 1")
	if m := c.message(); m.Type != KindError || !strings.Contains(m.Message, "is not one of hand, net") {
		t.Errorf("eval 1: %+v", m)
	}
	c.send("set_position " + santorinitest.StartText)
	c.message()
	c.send("set_option hash 4")
	for {
		if m := c.message(); m.Type == KindError {
			if !strings.Contains(m.Message, "search is running") {
				t.Errorf("refused with %q", m.Message)
			}
			return
		}
	}
}

func TestNewGameResets(t *testing.T) {
	c := newConsole(t)
	ask := func() message {
		c.send("set_position " + santorinitest.StartText + " depth 6 final")
		return c.message()
	}
	fresh, warm := ask(), ask()
	if warm.Meta.Nodes >= fresh.Meta.Nodes {
		t.Errorf("%d nodes with a warm table, %d without: the test proves nothing", warm.Meta.Nodes, fresh.Meta.Nodes)
	}
	c.send("new_game")
	again := ask()
	if !slices.Equal(again.Meta.PV, fresh.Meta.PV) || again.Meta.Nodes != fresh.Meta.Nodes || again.Meta.Depth != fresh.Meta.Depth || *again.Meta.Score != *fresh.Meta.Score {
		t.Errorf("after new_game %+v, at first %+v", again.Meta, fresh.Meta)
	}
}

func TestServerRefusesArguments(t *testing.T) {
	for _, args := range [][]string{{"--protocol", "v3"}, {"extra"}, {"--nonsense"}} {
		var out bytes.Buffer
		err := serveEngine(context.Background(), args, strings.NewReader("ping\n"), &out, io.Discard)
		if err == nil || out.Len() > 0 {
			t.Errorf("%v: started, %v", args, err)
		}
	}
}
