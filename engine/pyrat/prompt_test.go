package pyrat

import (
	"fmt"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
)

// TestBothAreAskedFirst: a question is sent without waiting and answered later,
// by Heard or by Go, and asked only once; what an AI owes is settled first.
func TestBothAreAskedFirst(t *testing.T) {
	var told []string
	answer := make(chan string, 4)
	conn := gametest.Join(t, bot{func(line string, say func(string)) {
		told = append(told, line)
		if line == "go" {
			say("info depth 2 target (1,1)")
			go func() { say(<-answer) }()
		}
		if line == "stop" {
			say("move STAY")
		}
	}})
	s := dial(t, conn, game.Options{})
	line := game.Begin(mustParse(t, small))
	if err := s.Seat(t.Context(), game.First, line); err != nil {
		t.Fatal(err)
	}
	prompt := func(want bool) game.Ask {
		t.Helper()
		ask := game.Ask{Line: line}
		conn.Arm(time.Minute, time.Minute)
		if ok, err := s.Prompt(ask); ok != want || err != nil {
			t.Fatalf("prompted %v, %v; want %v", ok, err, want)
		}
		if err := conn.Flush(); err != nil {
			t.Fatal(err)
		}
		return ask
	}
	play := func(r game.Reply) {
		t.Helper()
		var err error
		if line, err = line.Play(game.Turn{r.Move, "S"}); err != nil {
			t.Fatal(err)
		}
	}
	ask := prompt(true)
	if r, done, err := s.Heard(ask); done {
		t.Fatalf("heard %v, %v before it was said", r, err)
	}
	answer <- "move DOWN"
	var reply game.Reply
	for done := false; !done; {
		var err error
		if reply, done, err = s.Heard(ask); err != nil {
			t.Fatal(err)
		}
	}
	if reply.Move != "D" || reply.Depth != 2 || reply.Said == nil || reply.Said.Target != "(1,1)" {
		t.Errorf("heard %+v", reply)
	}
	play(reply)
	ask = prompt(true)
	answer <- "move LEFT"
	reply, err := s.Go(t.Context(), ask)
	if err != nil || reply.Move != "L" {
		t.Fatalf("%+v, %v", reply, err)
	}
	play(reply)
	ask = prompt(true)
	conn.Arm(10*time.Millisecond, 20*time.Millisecond)
	if _, err := s.Go(t.Context(), ask); !isTimeout(err) {
		t.Fatalf("no answer: %v", err)
	}
	play(game.Reply{Move: "S"})
	prompt(false)
	conn.Arm(time.Minute, time.Minute)
	if err := s.Sync(t.Context(), line); err != nil {
		t.Fatal(err)
	}
	prompt(true)
	conn.Arm(time.Minute, time.Minute)
	_ = s.say("isready")
	_, _ = conn.Recv(t.Context()) // the fence: all was read
	goes := 0
	for _, text := range told {
		if text == "go" {
			goes++
		}
	}
	if goes != 4 {
		t.Errorf("asked %d times in 4 turns: %s", goes, fmt.Sprintf("%q", told))
	}
}
