package protocol_test

import (
	"context"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/mill"
)

// The client and the engine play whole games with each other: removals are
// asked for within their turn, other rules than the default reach the engine, and
// every line has a use.
func TestRefereedGames(t *testing.T) {
	gametest.Sequential(t)
	for _, rules := range []mill.Rules{{Flying: true, NMoveRule: 100}, {Flying: false, NMoveRule: 20}} {
		g, problems := mill.New().With(&rules, nil)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		removals := 0
		for seed := range 2 {
			removals += refereed(t, g, []string{"Random", "Search"}[seed])
		}
		if removals == 0 {
			t.Error("no game had a removal")
		}
	}
}

// refereed plays one game, both seats by one engine, and counts removals.
func refereed(t *testing.T, g game.Game, kind string) (removals int) {
	t.Helper()
	ctx := context.Background()
	start, err := g.Start(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	conn := gametest.Join(t, mill.Player())
	options := []game.Option{{Name: "Hash", Value: "1"}, {Name: "SkillLevel", Value: "30"}, {Name: "DeveloperMode", Value: "false"}}
	if kind == "Random" {
		options = append(options, game.Option{Name: "Algorithm", Value: "4"})
	}
	session, info, err := g.Dialects()[0].Dial(ctx, conn, game.Options{Set: options, Rules: start})
	if err != nil {
		t.Fatal(err)
	}
	if info.Limits != (game.Limits{Time: true, Clock: true, Depth: true, Nodes: true}) || !info.Resets {
		t.Fatalf("info %+v", info)
	}
	if err := session.Fits(start); err != nil {
		t.Fatal(err)
	}
	line := game.Begin(start)
	if err := session.Seat(ctx, game.First, line); err != nil {
		t.Fatal(err)
	}
	for line.Ply < 400 {
		outcome, over := line.Position.Outcome()
		if over {
			t.Logf("%s: %d plies, %+v", kind, line.Ply, outcome)
			if err := session.End(ctx, line, outcome); err != nil {
				t.Error(err)
			}
			break
		}
		if err := session.Sync(ctx, line); err != nil {
			t.Fatal(err)
		}
		conn.Arm(5*time.Minute, 5*time.Minute)
		reply, err := gametest.Go(ctx, session, game.Ask{Line: line, Nodes: 300})
		if err != nil {
			t.Fatal(err)
		}
		if reply.Move[0] == 'x' {
			removals++
		}
		if line, err = line.Play(game.By(line.Position.ToMove().Only(), reply.Move)); err != nil {
			t.Fatal(err)
		}
	}
	if _, over := line.Position.Outcome(); !over {
		t.Errorf("%s: the game does not end", kind)
	}
	if passed := conn.PassedLines(); len(passed) != 0 {
		t.Errorf("lines without use: %q", passed)
	}
	return removals
}

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
	line := game.Begin(pos)
	for soft := 200 * time.Millisecond; ; soft *= 5 { // a busy machine gives the engine no time at first
		if err := session.Sync(ctx, line); err != nil {
			t.Fatal(err)
		}
		conn.Arm(soft, 5*time.Minute)
		reply, err := gametest.Go(ctx, session, game.Ask{Line: line, CPU: time.Millisecond})
		if err != nil || soft > time.Minute {
			t.Fatalf("%+v, %v, want a mate", reply, err)
		}
		if reply.Score >= 90_000 {
			return
		}
	}
}
