package protocol

import (
	"context"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/hex/rules"
)

// BenchmarkPlay measures one move of the referee's position.
func BenchmarkPlay(b *testing.B) {
	start := rules.Default().Empty()
	var p game.Position = start
	i := 0
	for b.Loop() {
		next, err := p.Play(game.By(p.ToMove().Only(), rules.CellName(i, 11)))
		if err != nil {
			b.Fatal(err)
		}
		p, i = next, i+1
		if _, over := p.Outcome(); over || i == 121 {
			p, i = start, 0
		}
	}
}

// instant is a Conn to a bot that answers with the next of its moves.
type instant struct {
	moves [][]byte
	asked bool
}

func (c *instant) Send(line []byte) error {
	c.asked = c.asked || string(line) == "make_move"
	return nil
}

func (c *instant) Recv(context.Context) ([]byte, error) {
	move := c.moves[0]
	c.moves = c.moves[1:]
	return move, nil
}
func (c *instant) Pending() ([]byte, bool) { return nil, false }
func (c *instant) Warn(string)             {}
func (c *instant) Passed([]byte)           {}

// BenchmarkSession measures one move of a hosted game: both bots are synced, one
// is asked, and the move is played.
func BenchmarkSession(b *testing.B) {
	ctx := context.Background()
	g := rules.Default()
	begin := game.Begin(g.Empty())
	var conns [2]*instant
	var sessions [2]game.Session
	for i := range conns {
		conns[i] = &instant{}
		s, _, err := Dialect{2, 11}.Dial(ctx, conns[i], game.Options{})
		if err != nil {
			b.Fatal(err)
		}
		sessions[i] = s
	}
	line := begin
	for b.Loop() {
		if line == begin {
			for i, s := range sessions {
				conns[i].moves = nil
				if err := s.Seat(ctx, game.Seat(i+1), line); err != nil {
					b.Fatal(err)
				}
			}
			for cell := range 121 {
				conns[cell%2].moves = append(conns[cell%2].moves, []byte(rules.CellName(cell, 11)))
			}
		}
		seat := line.Position.ToMove().Only()
		for _, s := range sessions {
			if err := s.Sync(ctx, line); err != nil {
				b.Fatal(err)
			}
		}
		reply, err := gametest.Go(ctx, sessions[seat.Index()], game.Ask{Line: line})
		if err != nil {
			b.Fatal(err)
		}
		if line, err = line.Play(game.By(seat, reply.Move)); err != nil {
			b.Fatal(err)
		}
		if line.Position.ToMove() == 0 {
			line = begin
		}
	}
}
