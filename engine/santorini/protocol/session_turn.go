package protocol

import (
	"context"
	"strings"

	"thera/engine/game"
	"thera/engine/protocol"
)

// turn is the last question.
type turn struct {
	ask      game.Ask
	noTurn   bool   // the mover is blocked: the engine was not asked
	answered bool   // best holds an answer
	stopped  bool   // stop and ping are sent
	strayed  bool   // a best_move about another position came
	best     []byte // the last matching best_move line, copied
	answer   Answer // points into best
	other    []byte // where the next line is copied to
}

// Ask sends the position, unless the mover is blocked.
func (s *session) Ask(ask game.Ask) error {
	s.ask, s.answered, s.stopped, s.garbled, s.strayed = ask, false, false, garbled{}, false
	pos := ask.History.Position
	if s.noTurn = s.blocked(pos); s.noTurn {
		return nil
	}
	return s.send(s.question(pos), &ask)
}

// Answer reads until the turn is over: the engine ended its search by itself,
// reached the requested depth, or was stopped and answered the ping after the
// stop. A search that continues is stopped. If the engine does not answer the ping
// in time, its last best_move counts.
func (s *session) Answer(ctx context.Context) (game.Reply, error) {
	if pos := s.ask.History.Position; s.noTurn {
		return game.Reply{Move: pos.Moves(pos.ToMove().Only())[0]}, nil
	}
	err := s.Read(ctx, s.stop, s.take)
	if s.answered && protocol.IsTimeout(err) {
		err = nil
	}
	if err != nil && !s.strayed {
		err = s.garbled.instead(err)
	}
	if err != nil {
		return game.Reply{}, err
	}
	return s.reply()
}

// take reads one line and reports whether the turn is over.
func (s *session) take(line []byte) (over bool, err error) {
	if len(line) == 0 { // a pong
		return s.answered && s.stopped && s.Owed() == 0, nil
	}
	s.other = append(s.other[:0], line...)
	a, bad := ReadAnswer(s.other)
	switch {
	case bad == nil && a.Kind == KindError && (a.Command == "" || strings.HasPrefix(a.Command, "set_position")):
		return false, game.Protocolf("the engine refuses the position: %s", protocol.Quote(line))
	case bad != nil || a.Kind != KindBestMove || !s.about(a.Start, s.ask.History.Position):
		s.strayed = s.strayed || bad == nil && a.Kind == KindBestMove
		s.garbled.see(line, bad)
		s.Pass(line)
		return false, nil
	}
	if len(a.Next) == 0 {
		return false, game.Protocolf("best_move without next_state: %s", protocol.Quote(line))
	}
	s.best, s.other, s.answer, s.answered = s.other, s.best, a, true
	if s.ask.Watch != nil {
		s.ask.Watch(s.report())
	}
	switch string(a.Trigger) {
	case "end_of_line", "limit", "stop_flag": // it has ended its search
		return true, s.halt()
	}
	if s.ask.Depth > 0 && a.Depth >= s.ask.Depth {
		return true, s.halt()
	}
	return false, nil
}

// stop asks the engine to end its search and pings it: any answer comes before the
// pong.
func (s *session) stop() (done bool, err error) {
	s.stopped = true
	if err := s.Say("stop"); err != nil {
		return false, err
	}
	return false, s.Ping()
}

// halt stops an engine that may still search. One with limits has ended by itself.
func (s *session) halt() error {
	if s.stopped || s.limits {
		return nil
	}
	_, err := s.stop()
	return err
}

func (s *session) report() game.SearchInfo {
	a := &s.answer
	return game.SearchInfo{Depth: a.Depth, Nodes: a.Nodes, Score: a.Score, Known: a.HasScore, PV: string(a.PV)}
}

// reply is the state that the engine names, in the form of the arena's position. It
// does not check whether the state is legal.
func (s *session) reply() (game.Reply, error) {
	move, err := canonical(string(s.answer.Next), s.ask.History.Position)
	if err != nil {
		return game.Reply{}, game.Protocolf("next_state: %v: %s", err, protocol.Quote(s.best))
	}
	return game.Reply{Move: move, SearchInfo: s.report()}, nil
}
