package santorini

import (
	"context"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/protocol"
)

// BenchmarkPlay is what the referee pays for a move: the text read, found
// among the legal states, and boxed.
func BenchmarkPlay(b *testing.B) {
	pos := lineAtB(b, startText)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := pos.Play(game.By(game.First, nextText)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkClientTurn is what the client pays for a move: the question
// written, the answer read, its chain followed.
func BenchmarkClientTurn(b *testing.B) {
	line := game.Begin(lineAtB(b, startText))
	conn := &echo{line: []byte(best(startText, nextText, triggerLimit, "5"))}
	s := &session{Client: protocol.NewClient(conn, fence), limits: true, v2: true, frame: newFrame()}
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
