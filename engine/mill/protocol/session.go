package protocol

import (
	"context"
	"fmt"
	"strconv"

	"thera/engine/game"
	"thera/engine/mill/rules"
	"thera/engine/protocol"
)

// session is one engine's conversation.
type session struct {
	protocol.Client
	options protocol.Options
	rules   rules.Rules // that the engine plays by
	stopped bool        // since the last fence: an answer may still be on its way
	pos     *rules.Position
	watch   func(game.SearchInfo)
}

// Fits refuses positions under rules that the engine does not play by.
func (s *session) Fits(pos game.Position) error {
	p, err := rules.Of(pos)
	if err != nil {
		return err
	}
	if p.Rules() != s.rules {
		return fmt.Errorf("the engine plays with flying %v and %d quiet plies, the position has %v and %d",
			s.rules.Flying, s.rules.QuietPlies, p.Rules().Flying, p.Rules().QuietPlies)
	}
	return nil
}

// Seat begins a new game.
func (s *session) Seat(ctx context.Context, _ game.Seat, _ *game.History) error {
	if err := s.Say("ucinewgame"); err != nil {
		return err
	}
	return s.Fence(ctx)
}

// Fence waits until the engine has done everything it was asked.
func (s *session) Fence(ctx context.Context) error {
	s.Drain(nil)
	if err := s.Client.Fence(ctx, nil); err != nil {
		return err
	}
	s.stopped = false
	return nil
}

// Sync sends the whole game so far: engines keep no moves between commands.
func (s *session) Sync(ctx context.Context, history *game.History) error {
	if s.stopped {
		if err := s.Fence(ctx); err != nil {
			return err
		}
	}
	return s.Conn.Send(positionLine(history))
}

// positionLine is the command that sets up a game.
func positionLine(history *game.History) []byte {
	b := []byte("position ")
	if fen := history.Start().Position.String(); fen == rules.StartFEN {
		b = append(b, "startpos"...)
	} else {
		b = append(append(b, "fen "...), fen...)
	}
	if history.Ply > 0 {
		b = append(b, " moves"...)
	}
	for _, turn := range history.Turns() {
		b = append(append(b, ' '), turn.String()...)
	}
	return b
}

// End sends nothing: the protocol has no end of a game.
func (s *session) End(context.Context, *game.History, game.Outcome) error { return nil }

// Ask sends the question for one action. The removal after a move that closes
// a mill is asked for by the next one.
func (s *session) Ask(ask game.Ask) error {
	var err error
	if s.pos, err = rules.Of(ask.History.Position); err != nil {
		return err
	}
	s.watch = ask.Watch
	s.Drain(nil)
	return s.Conn.Send(goLine(ask))
}

// Answer waits for bestmove; at the soft limit it sends stop.
func (s *session) Answer(ctx context.Context) (game.Reply, error) {
	stop := func() (bool, error) {
		s.stopped = true
		return false, s.Say("stop")
	}
	var reply game.Reply
	err := s.Read(ctx, stop, func(line []byte) (bool, error) {
		said := readLine(string(line), s.pos.State().Turn, &reply.SearchInfo)
		switch {
		case said.answered:
			var err error
			reply.Move, err = checkAnswer(s.pos, said.move, line)
			return true, err
		case !said.info:
			s.Pass(line)
		case s.watch != nil:
			s.watch(reply.SearchInfo)
		}
		return false, nil
	})
	return reply, err
}

// goLine is the question with its limits; without any, and under one of CPU time,
// the engine thinks until stop.
func goLine(ask game.Ask) []byte {
	b := []byte("go")
	add := func(word string, n int64) {
		b = strconv.AppendInt(append(append(append(b, ' '), word...), ' '), n, 10)
	}
	if ask.Depth > 0 {
		add("depth", int64(ask.Depth))
	}
	if ask.Nodes > 0 {
		add("nodes", ask.Nodes)
	}
	if ask.Time > 0 {
		add("movetime", max(1, ask.Time.Milliseconds()))
	}
	if c := ask.Clock; c.Left != (game.Clock{}).Left {
		add("wtime", max(1, c.Left[0].Milliseconds()))
		add("btime", max(1, c.Left[1].Milliseconds()))
		add("winc", c.Increment[0].Milliseconds())
		add("binc", c.Increment[1].Milliseconds())
		if seat := ask.History.Position.ToMove().Only(); seat != game.None && c.ToGo[seat.Index()] > 0 {
			add("movestogo", int64(c.ToGo[seat.Index()]))
		}
	}
	if len(b) == len("go") {
		b = append(b, " infinite"...)
	}
	return b
}

// checkAnswer returns the move that follows bestmove, or the fault of an answer
// without one. Whether the move is legal is the referee's question.
func checkAnswer(p *rules.Position, move string, line []byte) (string, error) {
	switch move {
	case rules.DrawMove:
		if p.DrawClaimed() != nil {
			return move, nil
		}
		return "", game.Protocolf("draw claimed in %s, but the position is not drawn", protocol.Quote(line))
	case "", "none", "-", "0000", "(none)", "null", "ponder":
		return "", game.Protocolf("no move in %s, though %d are legal", protocol.Quote(line), len(p.Moves(p.ToMove().Only())))
	}
	return move, nil
}
