package protocol_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
)

// Two threads of a real engine write to one line. The fence after a stop finds
// its answer there, and an answer to the question that shares a line with it
// counts.
func TestGluedReady(t *testing.T) {
	for _, ready := range []string{"Fen: readyok", "readyokDepth: 30", "readyokbestmove none", "info score 0 bestmove nonereadyok"} {
		conn := script(t, hello+strings.ReplaceAll(`0 > go movetime 10
0 > stop
0 < info score 4 bestmove a1
0 > isready
0 < GLUED
0 < O --- * --- @
0 > go movetime 10
0 < bestmove d1
`, "GLUED", ready))
		session, _, err := dial(conn, game.Options{})
		if err != nil {
			t.Fatal(err)
		}
		line := game.Begin(start(t))
		for _, want := range []string{"a1", "d1"} {
			if err := session.Sync(context.Background(), line); err != nil {
				t.Fatalf("%s: %v", ready, err)
			}
			conn.Arm()
			reply, err := gametest.Go(context.Background(), session, game.Ask{Line: line, Time: 10 * time.Millisecond})
			if err != nil || reply.Move != want {
				t.Fatalf("%s: got %+v, %v, want %s", ready, reply, err, want)
			}
			if line, err = line.Play(game.By(line.Position.ToMove().Only(), want)); err != nil {
				t.Fatal(err)
			}
		}
	}
}
