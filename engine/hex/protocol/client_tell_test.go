package protocol

import (
	"context"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
)

// While a game goes forward, a bot is sent one message per move, with the
// opponent's stone and the question together. Its stone and stones that it
// has are not sent again.
func TestClientTellsWithTheQuestion(t *testing.T) {
	ctx := context.Background()
	g := sized(5, true)
	moves := []string{"a1", "swap", "b2", "c3", "d4", "e5"}
	for _, seat := range []game.Seat{game.First, game.Second} {
		conn := &scripted{replies: moves}
		if seat == game.Second {
			conn.replies = moves[1:]
		}
		history := game.Begin(g.Empty())
		s := open(t, g, 2, conn, seat, history)
		for ply, move := range moves {
			if (ply%2 == 0) == (seat == game.First) {
				conn.replies = moves[ply:]
				before := len(conn.Sent)
				if err := s.Sync(ctx, history); err != nil {
					t.Fatal(err)
				}
				if sent := conn.Sent[before:]; len(sent) > 0 {
					t.Errorf("ply %d: sent %q before the question", ply+1, sent)
				}
				if _, err := gametest.Go(ctx, s, game.Ask{History: history}); err != nil {
					t.Fatal(err)
				}
				want := "make_move"
				switch {
				case ply > 0 && moves[ply-1] == "swap":
					want = "swap make_move"
				case ply > 0:
					want = "seto " + moves[ply-1] + "  make_move"
				}
				if sent := strings.Join(conn.Sent[before:], " "); sent != want {
					t.Errorf("ply %d: sent %q, want %q", ply+1, sent, want)
				}
			}
			var err error
			if history, err = history.Play(game.By(history.Position.ToMove().Only(), move)); err != nil {
				t.Fatal(err)
			}
		}
	}
}
