package santorini

import (
	"context"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/protocol"
	"thera/engine/santorini/internal/santorinitest"
	"thera/engine/santorini/player"
	"thera/engine/santorini/rules"
)

// BenchmarkPlay is the cost of a move for the referee: to parse the text and to find
// it among the legal states.
func BenchmarkPlay(b *testing.B) {
	pos := lineAtB(b, santorinitest.StartText)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := pos.Play(game.By(game.First, nextText)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPlayKnownGods is BenchmarkPlay in a match with a god that is not known: a
// match-up of known gods beside it costs the same.
func BenchmarkPlayKnownGods(b *testing.B) {
	for name, g := range map[string]*Game{"alone": New(), "beside an unknown god": bound(b, "", "mortal", "hopper")} {
		b.Run(name, func(b *testing.B) {
			pos, err := g.Parse(santorinitest.StartText)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := pos.Play(game.By(game.First, nextText)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkClientTurn is the cost of a move for the client: to write the question, to
// read the answer and to follow its chain.
func BenchmarkClientTurn(b *testing.B) {
	line := game.Begin(lineAtB(b, santorinitest.StartText))
	conn := &echo{line: []byte(best(santorinitest.StartText, nextText, player.TriggerLimit, "5"))}
	s := &session{Client: protocol.NewClient(conn, fence), limits: true, v2: true, list: rules.NewMoveList()}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := gametest.Go(b.Context(), s, game.Ask{Line: line, Nodes: 100}); err != nil {
			b.Fatal(err)
		}
	}
}

func lineAtB(b *testing.B, text string) game.Position {
	b.Helper()
	pos, err := New().Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	return pos
}

// echo is a connection that always has the same answer.
type echo struct {
	game.Conn
	line []byte
}

func (e *echo) Send([]byte) error                    { return nil }
func (e *echo) Recv(context.Context) ([]byte, error) { return e.line, nil }
func (e *echo) Warn(text string)                     { panic(text) }
func (e *echo) Passed(line []byte)                   { panic(string(line)) }
