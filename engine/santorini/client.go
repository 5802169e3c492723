package santorini

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"

	"thera/engine/game"
	"thera/engine/protocol"
)

// The dialects. auto sends squares as indices, which engines of both
// generations read, wherever the position has that form, and v2's form
// elsewhere.
const (
	dialectAuto = "auto"
	dialectV1   = "v1"
	dialectV2   = "v2"
)

// session is one engine's conversation.
type session struct {
	protocol.Client
	dialect string // dialectAuto, or the generation that is known
	limits  bool   // set_position takes limits
	resets  bool   // new_game is known
	v2      bool   // reads squares and all gods
	asked   []byte // the position text of the last question
	line    []byte // the line being sent
	steps   [16]step
	frame   *frame
	turn
}

var fence = protocol.Fence{Question: "ping", Answer: "pong"}

// Dial waits for `started` and sets the options. The probe of an engine that
// announces nothing is a blocked position: the generations answer it
// differently.
func (d dialect) Dial(ctx context.Context, conn game.Conn, opts game.Options) (game.Session, game.Info, error) {
	s := &session{Client: protocol.NewClient(conn, fence), dialect: d.name, v2: d.name == dialectV2, frame: newFrame()}
	for key := range opts.Protocol {
		return nil, game.Info{}, fmt.Errorf("protocol: santorini's dialects have no setting %q", key)
	}
	started, err := s.await(ctx, func(a *answer) bool { return a.kind == kindStarted })
	if err != nil {
		return nil, game.Info{}, err
	}
	for _, feature := range started.features {
		switch feature {
		case "limits":
			s.limits = true
		case "new_game":
			s.resets = true
		case "v2":
			s.v2 = true
		}
	}
	if d.probe && len(started.features) == 0 {
		if err := s.probe(ctx); err != nil {
			return nil, game.Info{}, err
		}
	}
	if err := s.setOptions(ctx, opts.Set, len(started.features) > 0); err != nil {
		return nil, game.Info{}, err
	}
	info := game.Info{
		Protocol: dialectV1,
		Features: started.features,
		Resets:   s.resets,
		// Depth holds for engines without limits too: the session stops them
		// at the depth that they report.
		Limits: game.Limits{Time: s.limits, Depth: true, Nodes: s.limits},
	}
	if s.v2 {
		info.Protocol = dialectV2
	}
	return s, info, nil
}

// probe finds the generation of an engine that announces nothing.
func (s *session) probe(ctx context.Context) error {
	const blocked = "0200022000000000000000000/1/mortal:0/mortal:23,24"
	if err := s.Say("next_moves", blocked); err != nil {
		return err
	}
	return s.Fence(ctx, func(line []byte) bool {
		a, err := readAnswer(line)
		if err != nil || a.kind != kindNextMoves {
			return false
		}
		s.v2 = bytes.Contains(a.start, []byte("A5"))
		return true
	})
}

// setOptions sends the options of the match file. Only engines with features
// know set_option; they refuse with an error line before the pong.
func (s *session) setOptions(ctx context.Context, options []game.Option, known bool) error {
	if len(options) == 0 {
		return nil
	}
	if !known {
		return fmt.Errorf("option %s: the engine announces no features, so it has no options", options[0].Name)
	}
	for _, o := range options {
		if err := s.Say("set_option", o.Name, o.Value); err != nil {
			return err
		}
		var refused error
		if err := s.Fence(ctx, func(line []byte) bool {
			a, err := readAnswer(line)
			if err != nil || a.kind != kindError {
				return false
			}
			refused = fmt.Errorf("option %s: %s: %s", o.Name, o.Value, a.message)
			return true
		}); err != nil {
			return err
		}
		if refused != nil {
			return refused
		}
	}
	return nil
}

// Fits refuses gods, placement and lost workers for an engine of the first
// generation. Where the generation is unknown the position text decides: at
// worst the first question fails.
func (s *session) Fits(pos game.Position) error {
	p, _ := unbox(pos)
	if s.v2 || p.fitsV1() {
		return nil
	}
	for _, g := range p.god {
		if g > hephaestus {
			return fmt.Errorf("an engine of protocol v1 does not know the god %s", g)
		}
	}
	return fmt.Errorf("an engine of protocol v1 cannot place workers: %s", p.text(formV2))
}

// Seat begins a game: the engine forgets what it learned in the last one.
func (s *session) Seat(ctx context.Context, _ game.Seat, _ *game.Line) error {
	if s.resets {
		if err := s.Say("new_game"); err != nil {
			return err
		}
		return s.Fence(ctx, nil)
	}
	return s.Settle(ctx, nil)
}

// Sync waits until the engine has answered the ping after its last stop, so
// that nothing it sends about an earlier turn can reach the next.
func (s *session) Sync(ctx context.Context, _ *game.Line) error { return s.Settle(ctx, nil) }

// End sends nothing: the protocol has no end of a game.
func (s *session) End(ctx context.Context, _ *game.Line, _ game.Outcome) error {
	return s.Settle(ctx, nil)
}

// blocked reports whether the mover has no turn.
func (s *session) blocked(p *state) bool {
	if fast := fastFor(p); fast != nil {
		return fast.count(p) == 0
	}
	s.frame.generate(p)
	return len(s.frame.moves) == 0 && p.winner == 0
}

// question sends set_position with the limits that the engine knows.
func (s *session) question(p *state, ask *game.Ask) error {
	s.asked = append(s.asked[:0], p.text(s.formFor(p))...)
	s.line = append(append(s.line[:0], "set_position "...), s.asked...)
	if s.limits {
		if ask.Time > 0 {
			s.line = append(s.line, " movetime "...)
			s.line = strconv.AppendFloat(s.line, ask.Time.Seconds(), 'f', -1, 64)
		}
		if ask.Depth > 0 {
			s.line = strconv.AppendInt(append(s.line, " depth "...), int64(ask.Depth), 10)
		}
		if ask.Nodes > 0 {
			s.line = strconv.AppendInt(append(s.line, " nodes "...), ask.Nodes, 10)
		}
		if ask.Watch == nil {
			s.line = append(s.line, " final"...)
		}
	}
	return s.Conn.Send(s.line)
}

// formFor is the form of p that the engine reads.
func (s *session) formFor(p *state) form {
	if s.dialect == dialectV2 || !p.fitsV1() {
		return formV2
	}
	return formV1
}

// List asks for the engine's own list of next states.
func (s *session) List(ctx context.Context, pos game.Position) ([]string, error) {
	p, out := unbox(pos)
	s.asked = append(s.asked[:0], p.text(s.formFor(p))...)
	if err := s.Say("next_moves", string(s.asked)); err != nil {
		return nil, err
	}
	a, err := s.await(ctx, func(a *answer) bool { return a.kind == kindNextMoves && s.about(a, p) })
	if err != nil {
		return nil, err
	}
	moves := make([]string, 0, len(a.states))
	for i, raw := range a.states {
		q, err := nextOf(raw)
		if err != nil {
			return nil, game.Protocolf("next_states[%d]: %v", i, err)
		}
		moves = append(moves, q.text(out))
	}
	slices.Sort(moves)
	return slices.Compact(moves), nil
}

// await reads until an answer is wanted; everything else has no use.
func (s *session) await(ctx context.Context, wanted func(*answer) bool) (a answer, err error) {
	err = s.Read(ctx, nil, func(line []byte) (bool, error) {
		var bad error
		if a, bad = readAnswer(line); bad == nil && wanted(&a) {
			return true, nil
		}
		s.Pass(line)
		return false, nil
	})
	return a, err
}

// about reports whether an answer is about p: the bytes that were sent, else
// any text of the same position.
func (s *session) about(a *answer, p *state) bool {
	if bytes.Equal(a.start, s.asked) {
		return true
	}
	q, _, err := parse(string(a.start))
	return err == nil && q == *p
}
