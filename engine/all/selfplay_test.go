package all

import (
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
)

// Each built-in engine plays itself through each of its game's dialects: every question is
// understood, and every answer is legal.
func TestEveryEnginePlaysItself(t *testing.T) {
	gametest.Sequential(t)
	for _, g := range Games() {
		for _, dialect := range g.Dialects() {
			t.Run(g.Name()+" "+dialect.Name(), func(t *testing.T) { playItself(t, g, dialect) })
		}
	}
}

func playItself(t *testing.T, g game.Game, dialect game.Dialect) {
	start, err := g.Start(0, 7)
	if err != nil {
		t.Fatal(err)
	}
	line := game.Begin(start)
	seats := [2]game.Seat{game.First, game.Second}
	var sessions [2]game.Session
	for i, seat := range seats {
		conn := gametest.Join(t, Player(g.Name()), dialect.Args(seat)...)
		s, info, err := dialect.Dial(t.Context(), conn, game.Options{Rules: start, Builtin: true, MoveTime: 20 * time.Millisecond})
		if err != nil || len(conn.Warnings()) > 0 {
			t.Fatalf("%+v, %v, %q", info, err, conn.Warnings())
		}
		if err := s.Fits(start); err != nil {
			t.Fatal(err)
		}
		if err := s.Seat(t.Context(), seat, line); err != nil {
			t.Fatal(err)
		}
		sessions[i] = s
	}
	for line.Ply < 60 && line.Position.ToMove() != 0 {
		var turn game.Turn
		for i, s := range sessions {
			if err := s.Sync(t.Context(), line); err != nil {
				t.Fatal(err)
			}
			if !line.Position.ToMove().Has(seats[i]) {
				continue
			}
			reply, err := gametest.Go(t.Context(), s, game.Ask{Line: line, Time: 20 * time.Millisecond})
			if err != nil {
				t.Fatalf("%s: %v", line.Position, err)
			}
			turn[i] = reply.Move
		}
		if line, err = line.Play(turn); err != nil {
			t.Fatal(err)
		}
	}
	outcome, _ := line.Position.Outcome()
	for _, s := range sessions {
		if err := s.End(t.Context(), line, outcome); err != nil {
			t.Error(err)
		}
	}
}
