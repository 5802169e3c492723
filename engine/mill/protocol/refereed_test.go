package protocol_test

import (
	"context"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/mill"
)

// Under a CPU limit our engine is told no time, and waits for stop when it has found
// mate.
func TestCPULimitOfAWonGame(t *testing.T) {
	ctx := context.Background()
	g := mill.New()
	conn := gametest.Join(t, mill.Player())
	session, _, err := g.Dialects()[0].Dial(ctx, conn, game.Options{Set: []game.Option{{Name: "SkillLevel", Value: "30"}}})
	if err != nil {
		t.Fatal(err)
	}
	pos, err := g.Parse("*OO*O***/*****@@*/***@**** w m s 3 0 3 0 0 0 0 0 0 0 0 9 30") // a mill wins
	if err != nil {
		t.Fatal(err)
	}
	history := game.Begin(pos)
	for soft := 200 * time.Millisecond; ; soft *= 5 { // a busy machine gives the engine no time at first
		if err := session.Sync(ctx, history); err != nil {
			t.Fatal(err)
		}
		conn.Arm(soft, 5*time.Minute)
		reply, err := gametest.Go(ctx, session, game.Ask{History: history, CPU: time.Millisecond})
		if err != nil || soft > time.Minute {
			t.Fatalf("%+v, %v, want a mate", reply, err)
		}
		if reply.Score >= 90_000 {
			return
		}
	}
}
