package santorini

import (
	"context"
	"errors"
	"fmt"

	"thera/engine/game"
	"thera/engine/protocol"
	"thera/engine/santorini/foreign"
	"thera/engine/santorini/wire"
)

// What a session does where the law decides: the same lines, with the texts of
// package foreign.

// textFor is the text of p that the engine reads: with indices for one of v1.
func (s *session) textFor(p *outside) string {
	if s.v2 {
		return p.text
	}
	return p.Indices()
}

// askForeign sends the position, unless the law lists no turn.
func (s *session) askForeign(p *outside) error {
	s.outside, s.from = p, nil
	if s.noTurn = p.blocked(); s.noTurn {
		return nil
	}
	return s.question(s.textFor(p), &s.ask)
}

// aboutAsked reports whether an answer is about the position of the last question.
func (s *session) aboutAsked(a *wire.Answer) bool {
	if s.outside == nil {
		return s.about(a, s.from)
	}
	return s.aboutForeign(string(a.Start), s.outside)
}

// aboutForeign compares what is read of a position: an engine may write the state
// of a god that the question left out.
func (s *session) aboutForeign(start string, p *outside) bool {
	q, err := foreign.Parse(start)
	return err == nil && q.Same(p.Position)
}

// replyForeign is the state that the engine names, as canonical text. Its actions
// are not checked: what they mean is not known.
func (s *session) replyForeign() (game.Reply, error) {
	q, err := foreign.Parse(string(s.answer.Next))
	if err != nil {
		return game.Reply{}, game.Protocolf("next_state: %v: %s", err, protocol.Quote(s.best))
	}
	return game.Reply{Move: q.String(), SearchInfo: s.report()}, nil
}

// listForeign asks for the engine's list of next states: canonical texts, none if
// the engine says that the mover has no turn. An engine that answers the ping first
// gives no list; it gets a second ping, for the answer may come from another thread.
func (s *session) listForeign(ctx context.Context, p *outside) ([]string, error) {
	if err := s.Settle(ctx, nil); err != nil {
		return nil, err
	}
	text := s.textFor(p)
	s.asked = append(s.asked[:0], text...)
	if err := s.Say("next_moves", text); err != nil {
		return nil, err
	}
	if err := s.Ping(); err != nil {
		return nil, err
	}
	var states []string
	again := false
	err := s.Read(ctx, nil, func(line []byte) (bool, error) {
		if len(line) == 0 { // a pong
			if again {
				return false, game.ErrUnlisted
			}
			again = true
			return false, s.Ping()
		}
		start, list, err := foreign.ReadList(line)
		switch {
		case errors.Is(err, foreign.ErrOther):
			if a, bad := wire.ReadAnswer(line); bad == nil && a.Kind == wire.KindError {
				return false, fmt.Errorf("%w: %s", game.ErrUnlisted, protocol.Quote(line))
			}
			s.Pass(line)
			return false, nil
		case err != nil:
			return false, game.Protocolf("%v", err)
		case start != "" && !s.aboutForeign(start, p):
			s.Pass(line)
			return false, nil
		}
		states = list
		return true, nil
	})
	if err != nil || len(states) != 1 {
		return states, err
	}
	if only, err := foreign.Parse(states[0]); err == nil && p.IsBlocked(only) {
		return nil, nil
	}
	return states, nil
}
