package mill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"thera/engine/game"
)

// session is one engine's conversation.
type session struct {
	conn    game.Conn
	info    game.Info
	options []option
	rules   rules // that the engine was told
	late    bool  // it was told to stop: an answer may still be on its way
}

// Fits refuses positions under rules that the engine was not told.
func (s *session) Fits(pos game.Position) error {
	p, ok := pos.(*Position)
	if !ok {
		return fmt.Errorf("a position of another game: %T", pos)
	}
	if *p.rules != s.rules {
		return fmt.Errorf("the engine was told of flying %v and %d quiet plies, the position has %v and %d",
			s.rules.flying, s.rules.quiet, p.rules.flying, p.rules.quiet)
	}
	return nil
}

// Seat begins a new game.
func (s *session) Seat(ctx context.Context, _ game.Seat, _ *game.Line) error {
	if err := s.conn.Send([]byte("ucinewgame")); err != nil {
		return err
	}
	return s.fence(ctx)
}

// Sync tells the whole game so far: engines keep no moves between commands.
func (s *session) Sync(ctx context.Context, line *game.Line) error {
	if s.late {
		if err := s.fence(ctx); err != nil {
			return err
		}
	}
	return s.conn.Send(positionLine(line))
}

// positionLine is the command that sets up line.
func positionLine(line *game.Line) []byte {
	b := []byte("position ")
	if fen := line.Start().Position.String(); fen == StartFEN {
		b = append(b, "startpos"...)
	} else {
		b = append(append(b, "fen "...), fen...)
	}
	if line.Ply > 0 {
		b = append(b, " moves"...)
	}
	for _, turn := range line.Turns() {
		b = append(append(b, ' '), turn.String()...)
	}
	return b
}

// End has nothing to tell: the protocol has no word for it.
func (s *session) End(context.Context, *game.Line, game.Outcome) error { return nil }

// Go asks for one action: of a turn that closes a mill the removal is asked
// for in a second call.
func (s *session) Go(ctx context.Context, ask game.Ask) (game.Reply, error) {
	p, ok := ask.Line.Position.(*Position)
	if !ok {
		return game.Reply{}, fmt.Errorf("a position of another game: %T", ask.Line.Position)
	}
	for line, ok := s.conn.Pending(); ok; line, ok = s.conn.Pending() {
		s.passed(line) // said before it was asked
	}
	if err := s.conn.Send(goLine(ask)); err != nil {
		return game.Reply{}, err
	}
	var report game.Report
	for {
		line, err := s.conn.Recv(ctx)
		if errors.Is(err, game.ErrSoft) {
			s.late = true
			if err := s.conn.Send([]byte("stop")); err != nil {
				return game.Reply{}, err
			}
			continue
		}
		if err != nil {
			return game.Reply{}, err
		}
		heard := hear(string(line), p.turn, &report)
		if heard.answered {
			move, err := judge(p, heard.move, string(line))
			return game.Reply{Move: move, Report: report}, err
		}
		if !heard.info {
			s.passed(line)
		} else if ask.Watch != nil {
			ask.Watch(report)
		}
	}
}

// goLine is the question with its limits; without any the engine thinks until
// it is told to stop.
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
	}
	if len(b) == len("go") {
		b = append(b, " infinite"...)
	}
	return b
}

// judge makes a move of what follows bestmove, or the fault of an answer that
// is none. Whether the move is legal is the referee's question.
func judge(p *Position, move, line string) (string, error) {
	switch move {
	case "draw":
		if p.drawn != "" {
			return move, nil
		}
		return "", game.Protocolf("draw claimed in %q, but the position is not drawn", line)
	case "", "none", "-", "0000", "(none)", "null", "ponder":
		return "", game.Protocolf("no move in %q, though %d are legal", line, p.width(p.rules))
	}
	return move, nil
}

// fence waits until the engine has done all it was told: what it says before
// that answers nothing any more.
func (s *session) fence(ctx context.Context) error {
	for line, ok := s.conn.Pending(); ok; line, ok = s.conn.Pending() {
		s.passed(line)
	}
	if err := s.conn.Send([]byte("isready")); err != nil {
		return err
	}
	for {
		line, err := s.recv(ctx)
		if err != nil {
			return err
		}
		if string(bytes.TrimSpace(line)) == "readyok" {
			s.late = false
			return nil
		}
		s.passed(line)
	}
}

// recv is Recv where no question is open: the soft limit means nothing.
func (s *session) recv(ctx context.Context) ([]byte, error) {
	line, err := s.conn.Recv(ctx)
	if errors.Is(err, game.ErrSoft) {
		return s.conn.Recv(ctx)
	}
	return line, err
}

// passed counts a line without use; blank ones are not worth it.
func (s *session) passed(line []byte) {
	if strings.TrimSpace(string(line)) != "" {
		s.conn.Passed(line)
	}
}
