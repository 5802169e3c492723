package santorini

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"thera/engine/game"
	"thera/engine/protocol"
)

// turn is the last question.
type turn struct {
	ask      game.Ask
	from     *state
	form     form
	noTurn   bool   // the mover is blocked: the engine was not asked
	answered bool   // best holds an answer
	stopped  bool   // stop and ping are sent
	best     []byte // the last matching best_move line, copied
	answer   answer // points into best
	other    []byte // where the next line is copied to
}

// Ask sends the position, unless the mover is blocked.
func (s *session) Ask(ask game.Ask) error {
	s.ask, s.answered, s.stopped = ask, false, false
	s.from, s.form = unbox(ask.Line.Position)
	if s.noTurn = s.blocked(s.from); s.noTurn {
		return nil
	}
	return s.question(s.from, &ask)
}

// Answer reads until the turn is over: the engine ended its search by itself,
// reached the depth that was asked for, or was stopped and answered the ping
// after the stop. A search that goes on is stopped. An engine that is deaf to
// ping, or slower than its grace, has moved with its last best_move.
func (s *session) Answer(ctx context.Context) (game.Reply, error) {
	if s.noTurn {
		q := blocked(s.from, s.form)
		return game.Reply{Move: q.text(s.form)}, nil
	}
	err := s.Read(ctx, s.stop, s.take)
	if s.answered && protocol.IsTimeout(err) {
		err = nil
	}
	if err != nil {
		return game.Reply{}, err
	}
	return s.reply()
}

// take reads one line and reports whether the turn is over.
func (s *session) take(line []byte) (over bool, err error) {
	if len(line) == 0 { // a pong
		return s.stopped && s.Owed() == 0 && s.answered, nil
	}
	s.other = append(s.other[:0], line...)
	a, bad := readAnswer(s.other)
	switch {
	case bad == nil && a.kind == kindError && (a.command == "" || strings.HasPrefix(a.command, "set_position")):
		return false, game.Protocolf("the engine refuses the position: %s", protocol.Quote(line))
	case bad != nil || a.kind != kindBestMove || !s.about(&a, s.from):
		s.Pass(line)
		return false, nil
	}
	if len(a.next) == 0 {
		return false, game.Protocolf("best_move without next_state: %s", protocol.Quote(line))
	}
	s.best, s.other, s.answer, s.answered = s.other, s.best, a, true
	if s.ask.Watch != nil {
		s.ask.Watch(s.report())
	}
	switch trigger(a.trigger) {
	case triggerEnd, triggerLimit, triggerStop:
		return true, s.halt()
	}
	if s.ask.Depth > 0 && a.depth >= s.ask.Depth {
		return true, s.halt()
	}
	return false, nil
}

// stop asks the engine to end its search, and pings: what comes after the
// pong is late.
func (s *session) stop() (done bool, err error) {
	s.stopped = true
	if err := s.Say("stop"); err != nil {
		return false, err
	}
	return false, s.Ping()
}

// halt makes sure that the engine does not think on. An engine that keeps
// limits has ended by itself, every other one is stopped.
func (s *session) halt() error {
	if s.stopped || s.limits {
		return nil
	}
	_, err := s.stop()
	return err
}

func (s *session) report() game.Report {
	a := &s.answer
	return game.Report{Depth: a.depth, Nodes: a.nodes, Score: a.score, Known: a.scored, PV: string(a.pv)}
}

// reply is the move: the state that the engine names, in the form of the
// position that the arena holds. Whether it is legal is for the rules to say;
// a chain of actions that does not lead there is only a warning.
func (s *session) reply() (game.Reply, error) {
	q, _, err := parse(string(s.answer.next))
	if err != nil {
		return game.Reply{}, game.Protocolf("next_state: %v: %s", err, protocol.Quote(s.best))
	}
	if fault := chainFault(s.from, &q, s.answer.actions, s.steps[:]); fault != "" {
		s.Conn.Warn(fmt.Sprintf("the actions do not lead to the state: %s: %s", fault, protocol.Quote(s.answer.actions)))
	}
	return game.Reply{Move: q.text(s.form), Report: s.report()}, nil
}

// nextOf is the state of one entry of next_states.
func nextOf(raw json.RawMessage) (state, error) {
	var entry struct {
		Next *string `json:"next_state"`
	}
	if err := json.Unmarshal(raw, &entry); err != nil {
		return state{}, err
	}
	if entry.Next == nil {
		return state{}, errors.New("no next_state")
	}
	q, _, err := parse(*entry.Next)
	return q, err
}
