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
			if dialect.Name() == "tcp" {
				continue // of the adapter of a bot, which ends with the game
			}
			t.Run(g.Name()+" "+dialect.Name(), func(t *testing.T) { playItself(t, g, dialect) })
		}
	}
}

func playItself(t *testing.T, g game.Game, dialect game.Dialect) {
	start, err := g.Start(0, 7)
	if err != nil {
		t.Fatal(err)
	}
	ask := game.Ask{Time: 5 * time.Millisecond}
	playGame(t, g, dialect, game.Begin(start), [2]side{{ask: ask}, {ask: ask}}, 60)
}

// side is how the built-in engine plays one seat.
type side struct {
	set []game.Option
	ask game.Ask
}

// words make a built-in engine speak a dialect that is not the first that it speaks.
var words = map[string][]string{"gtp": {"--gtp"}}

// playGame plays on until the game is over, or that many turns long, and returns what was played.
func playGame(t *testing.T, g game.Game, dialect game.Dialect, history *game.History, sides [2]side, most int) (*game.History, game.Outcome) {
	t.Helper()
	seats := [2]game.Seat{game.First, game.Second}
	var sessions [2]game.Session
	for i, seat := range seats {
		more := words[dialect.Name()]
		conn := gametest.Join(t, Player(g.Name()), append(dialect.Args(seat), more...)...)
		opts := game.Options{Rules: history.Position, Builtin: more == nil, MoveTime: sides[i].ask.Time, Set: sides[i].set}
		s, info, err := dialect.Dial(t.Context(), conn, opts)
		if err != nil || len(conn.Warnings()) > 0 {
			t.Fatalf("%+v, %v, %q", info, err, conn.Warnings())
		}
		if err := s.Fits(history.Position); err != nil {
			t.Fatal(err)
		}
		if err := s.Seat(t.Context(), seat, history); err != nil {
			t.Fatal(err)
		}
		sessions[i] = s
	}
	for history.Ply < most && history.Position.ToMove() != 0 {
		var turn game.Turn
		for i, s := range sessions {
			if err := s.Sync(t.Context(), history); err != nil {
				t.Fatal(err)
			}
			if !history.Position.ToMove().Has(seats[i]) {
				continue
			}
			ask := sides[i].ask
			ask.History = history
			reply, err := gametest.Go(t.Context(), s, ask)
			if err != nil {
				t.Fatalf("%s: %v", history.Position, err)
			}
			turn[i] = reply.Move
		}
		var err error
		if history, err = history.Play(turn); err != nil {
			t.Fatal(err)
		}
	}
	outcome, _ := history.Position.Outcome()
	for _, s := range sessions {
		if err := s.End(t.Context(), history, outcome); err != nil {
			t.Error(err)
		}
	}
	return history, outcome
}
