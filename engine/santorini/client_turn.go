package santorini

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"thera/engine/game"
	"thera/engine/protocol"
	"thera/engine/santorini/player"
	"thera/engine/santorini/rules"
	"thera/engine/santorini/wire"
)

// turn is the last question.
type turn struct {
	ask      game.Ask
	outside  *outside // the position where the law decides, else nil; from is nil then
	from     *rules.State
	form     wire.Form
	noTurn   bool        // the mover is blocked: the engine was not asked
	answered bool        // best holds an answer
	stopped  bool        // stop and ping are sent
	strayed  bool        // a best_move about another position came
	best     []byte      // the last matching best_move line, copied
	answer   wire.Answer // points into best
	other    []byte      // where the next line is copied to
}

// Ask sends the position, unless the mover is blocked.
func (s *session) Ask(ask game.Ask) error {
	s.ask, s.answered, s.stopped, s.garbled, s.strayed = ask, false, false, garbled{}, false
	if p, ok := ask.Line.Position.(*outside); ok {
		return s.askForeign(p)
	}
	s.outside = nil
	s.from, s.form = unbox(ask.Line.Position)
	if s.noTurn = s.blocked(s.from); s.noTurn {
		return nil
	}
	return s.question(wire.Text(s.from, s.formFor(s.from)), &ask)
}

// Answer reads until the turn is over: the engine ended its search by itself,
// reached the requested depth, or was stopped and answered the ping after the
// stop. A search that continues is stopped. If the engine does not answer the ping
// in time, its last best_move counts.
func (s *session) Answer(ctx context.Context) (game.Reply, error) {
	if s.noTurn && s.outside != nil {
		return game.Reply{Move: s.outside.Blocked().String()}, nil
	}
	if s.noTurn {
		q := wire.Blocked(s.from, s.form)
		return game.Reply{Move: wire.Text(&q, s.form)}, nil
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
	a, bad := wire.ReadAnswer(s.other)
	switch {
	case bad == nil && a.Kind == wire.KindError && (a.Command == "" || strings.HasPrefix(a.Command, "set_position")):
		return false, game.Protocolf("the engine refuses the position: %s", protocol.Quote(line))
	case bad != nil || a.Kind != wire.KindBestMove || !s.aboutAsked(&a):
		s.strayed = s.strayed || bad == nil && a.Kind == wire.KindBestMove
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
	switch player.Trigger(a.Trigger) {
	case player.TriggerEndOfLine, player.TriggerLimit, player.TriggerStop:
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
// does not check whether the state is legal. A chain of actions that does not lead
// there is only a warning.
func (s *session) reply() (game.Reply, error) {
	if s.outside != nil {
		return s.replyForeign()
	}
	q, _, err := wire.Parse(string(s.answer.Next))
	if err != nil {
		return game.Reply{}, game.Protocolf("next_state: %v: %s", err, protocol.Quote(s.best))
	}
	if fault := wire.ChainFault(s.from, &q, s.answer.Actions, &s.chain); fault != "" {
		s.Conn.Warn(fmt.Sprintf("the actions do not lead to the state: %s: %s", fault, protocol.Quote(s.answer.Actions)))
	}
	return game.Reply{Move: wire.Text(&q, s.form), SearchInfo: s.report()}, nil
}

// nextOf is the state of one entry of next_states.
func nextOf(raw json.RawMessage) (rules.State, error) {
	var entry struct {
		Next *string `json:"next_state"`
	}
	if err := json.Unmarshal(raw, &entry); err != nil {
		return rules.State{}, err
	}
	if entry.Next == nil {
		return rules.State{}, errors.New("no next_state")
	}
	q, _, err := wire.Parse(*entry.Next)
	return q, err
}
