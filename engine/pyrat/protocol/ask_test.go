package protocol

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
)

// A question is sent once, without waiting. Its answer is polled or waited for,
// and a late one is settled before the next question.
func TestAnswerIsPolled(t *testing.T) {
	var sent []string
	answer := make(chan string, 4)
	conn := gametest.Join(t, bot{func(line string, say func(string)) {
		sent = append(sent, line)
		if line == "go" {
			say("info depth 2 target (1,1)")
			go func() { say(<-answer) }()
		}
		if line == "stop" {
			say("move STAY")
		}
	}})
	s := dial(t, conn, game.Options{})
	history := game.Begin(mustParse(t, small))
	if err := s.Seat(t.Context(), game.First, history); err != nil {
		t.Fatal(err)
	}
	ask := func() {
		t.Helper()
		conn.Arm(time.Minute, time.Minute)
		if err := s.Sync(t.Context(), history); err != nil {
			t.Fatal(err)
		}
		if err := s.Ask(game.Ask{History: history}); err != nil {
			t.Fatal(err)
		}
		if err := conn.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	play := func(move string) {
		t.Helper()
		var err error
		if history, err = history.Play(game.Turn{move, "S"}); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	conn.NoWait = true
	if r, err := s.Answer(t.Context()); !errors.Is(err, game.ErrNoLine) {
		t.Fatalf("answer %v, %v before there was one", r, err)
	}
	answer <- "move DOWN"
	reply, err := s.Answer(t.Context())
	for errors.Is(err, game.ErrNoLine) {
		reply, err = s.Answer(t.Context())
	}
	conn.NoWait = false
	if err != nil || reply.Move != "D" || reply.Depth != 2 || reply.Details == nil || reply.Details.Target != "(1,1)" {
		t.Errorf("%+v, %v", reply, err)
	}
	play(reply.Move)
	ask()
	answer <- "move LEFT"
	if reply, err = s.Answer(t.Context()); err != nil || reply.Move != "L" {
		t.Fatalf("%+v, %v", reply, err)
	}
	play(reply.Move)
	ask()
	conn.Arm(10*time.Millisecond, 20*time.Millisecond)
	if _, err := s.Answer(t.Context()); !isTimeout(err) {
		t.Fatalf("no answer: %v", err)
	}
	play("S")
	ask() // settles the late answer first
	_ = s.Say("isready")
	_, _ = conn.Recv(t.Context()) // everything before it was read
	goes := 0
	for _, text := range sent {
		if text == "go" {
			goes++
		}
	}
	if goes != 4 {
		t.Errorf("asked %d times in 4 turns: %q", goes, sent)
	}
}

// No AI knows a limit of CPU time: it is sent the longest time of a move and stopped at
// the limit. A second move, of an AI that had answered when it was stopped, is none for the
// next turn.
func TestCPULimitStopsTheAI(t *testing.T) {
	var sent []string
	conn := gametest.Join(t, bot{func(line string, say func(string)) {
		sent = append(sent, line)
		if line == "stop" {
			say("move DOWN\nmove UP")
		}
	}})
	s := dial(t, conn, game.Options{MoveTime: time.Minute})
	history := game.Begin(mustParse(t, small))
	if err := s.Seat(t.Context(), game.First, history); err != nil {
		t.Fatal(err)
	}
	for turn := range 2 {
		conn.Arm(time.Minute, time.Minute)
		if err := s.Sync(t.Context(), history); err != nil {
			t.Fatal(err)
		}
		conn.Arm(time.Millisecond, time.Minute)
		reply, err := gametest.Go(t.Context(), s, game.Ask{History: history, CPU: 50 * time.Millisecond})
		if err != nil || reply.Move != "D" {
			t.Fatalf("turn %d: %+v, %v", turn, reply, err)
		}
		if history, err = history.Play(game.Turn{reply.Move, "S"}); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Contains(sent, "timecontrol move:60000 preprocessing:0 postprocessing:0") {
		t.Errorf("it received %q", sent)
	}
}

// An AI that lists Playouts and Depth is set the limits of the match, and what the match file
// chose without one. An AI that does not list them is sent nothing.
func TestLimitsAreOptions(t *testing.T) {
	lines := []string{
		"option name Playouts type spin default 0 min 0 max 1000",
		"option name Depth type spin default 7 min 0 max 9",
	}
	for _, listed := range []bool{true, false} {
		var sent []string
		ai, opts := greeter(&sent), game.Options{}
		if listed {
			ai, opts.Set = greeter(&sent, lines...), []game.Option{{Name: "Playouts", Value: "3"}}
		}
		conn := gametest.Join(t, ai)
		s, info, err := Dialect{}.Dial(t.Context(), conn, opts)
		if err != nil || info.Limits != (game.Limits{Time: true, Depth: listed, Nodes: listed}) {
			t.Fatalf("%v, %v", info.Limits, err)
		}
		history := game.Begin(mustParse(t, small))
		s.(*session).known = history
		for _, ask := range []game.Ask{{Nodes: 500}, {Nodes: 500}, {Depth: 4}, {}} {
			ask.History = history
			if err := s.Ask(ask); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Ask(game.Ask{History: history, Nodes: 1001}); listed == (err == nil) {
			t.Errorf("more playouts than there can be: %v", err)
		}
		_ = s.(*session).Say("isready")
		_, _ = conn.Recv(t.Context()) // everything before it was read
		said := slices.DeleteFunc(sent, func(line string) bool { return !strings.HasPrefix(line, "setoption") })
		var want []string
		if listed {
			want = []string{
				"setoption name Playouts value 3", "setoption name Playouts value 500", "setoption name Playouts value 3",
				"setoption name Depth value 4", "setoption name Depth value 7",
			}
		}
		if !slices.Equal(said, want) {
			t.Errorf("listed %v: %q, want %q", listed, said, want)
		}
	}
}
