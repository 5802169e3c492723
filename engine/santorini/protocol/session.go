package protocol

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"thera/engine/game"
	"thera/engine/protocol"
	"thera/engine/santorini/rules"
	"thera/engine/santorini/rules/foreign"
)

// The dialects. auto sends form V1, which engines of both versions read, for every
// position that fits it, and V2 for others.
const (
	dialectAuto = "auto"
	dialectV1   = "v1"
	dialectV2   = "v2"
)

// session is the conversation with one engine.
type session struct {
	protocol.Client
	dialect string // dialectAuto, or the version if it is known
	limits  bool   // set_position takes limits
	resets  bool   // new_game is known
	v1      bool   // showed that it is an engine of v1
	v2      bool   // reads squares and all gods
	asked   []byte // the position text of the last question
	line    []byte // the line being sent
	list    *rules.MoveList
	garbled garbled
	turn
}

var fence = protocol.Fence{Question: "ping", Answer: "pong"}

// Dial waits for `started` and sets the options. Under auto an engine that announces
// nothing is probed with a blocked position: the versions answer it differently.
func (d dialect) Dial(ctx context.Context, conn game.Conn, opts game.Options) (game.Session, game.Info, error) {
	s := &session{Client: protocol.NewClient(conn, fence), dialect: d.name, v2: d.name == dialectV2, list: rules.NewMoveList()}
	for key := range opts.Protocol {
		return nil, game.Info{}, fmt.Errorf("protocol: santorini's dialects have no setting %q", key)
	}
	s.Expect(`{"type":"started"}`)
	started, err := s.await(ctx, func(a *Answer) bool { return a.Kind == KindStarted })
	if err != nil {
		return nil, game.Info{}, err
	}
	for _, feature := range started.Features {
		switch feature {
		case "limits":
			s.limits = true
		case "new_game":
			s.resets = true
		case "v2":
			s.v2 = true
		}
	}
	if d.name == dialectAuto && len(started.Features) == 0 {
		if err := s.probe(ctx); err != nil {
			return nil, game.Info{}, err
		}
	}
	if err := s.setOptions(ctx, opts.Set, len(started.Features) > 0); err != nil {
		return nil, game.Info{}, err
	}
	info := game.Info{
		Features: started.Features,
		Resets:   s.resets,
		// Engines of v1 clear a table of 1 GB before their first search and hear no
		// stop until then.
		SlowFirst: s.v1,
		// Depth holds for engines without limits too: the session stops them
		// at the depth that they report.
		Limits: game.Limits{Time: s.limits, Depth: true, Nodes: s.limits},
	}
	switch {
	case s.v2:
		info.Protocol = dialectV2
	case s.v1 || d.name == dialectV1 || len(started.Features) > 0:
		info.Protocol = dialectV1
	}
	return s, info, nil
}

// probe finds the version of an engine that announces nothing.
func (s *session) probe(ctx context.Context) error {
	const blocked = "0020000200000000000000000/1/mortal:0,1/mortal:5,6"
	if err := s.Say("next_moves", blocked); err != nil {
		return err
	}
	return s.Fence(ctx, func(line []byte) bool {
		a, err := ReadAnswer(line)
		if err != nil || a.Kind != KindNextMoves {
			return false
		}
		s.v2 = bytes.Contains(a.Start, []byte("A5"))
		s.v1 = !s.v2
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
			a, err := ReadAnswer(line)
			if err != nil || a.Kind != KindError {
				return false
			}
			refused = fmt.Errorf("option %s: %s: %s", o.Name, o.Value, a.Message)
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

// Fits returns an error if an engine of v1 cannot know pos: for its gods, placement
// or lost workers.
func (s *session) Fits(pos game.Position) error {
	if _, ok := pos.(*foreign.Position); ok {
		return nil // what it knows shows when it is asked
	}
	p, _ := rules.Unbox(pos)
	if s.v2 || rules.FitsV1(p) {
		return nil
	}
	for _, g := range p.Gods {
		if !g.Basic() {
			return fmt.Errorf("an engine of protocol v1 does not know the god %s", g)
		}
	}
	return fmt.Errorf("an engine of protocol v1 cannot place workers: %s", rules.Text(p, rules.V2))
}

// Seat begins a game: the engine forgets what it learned in the last one.
func (s *session) Seat(ctx context.Context, _ game.Seat, _ *game.History) error {
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
func (s *session) Sync(ctx context.Context, _ *game.History) error { return s.Settle(ctx, nil) }

// End sends nothing: the protocol has no end of a game.
func (s *session) End(ctx context.Context, _ *game.History, _ game.Outcome) error {
	return s.Settle(ctx, nil)
}

// blocked reports whether the mover has no turn.
func (s *session) blocked(pos game.Position) bool {
	if p, ok := pos.(*foreign.Position); ok {
		return p.NoTurn()
	}
	p, _ := rules.Unbox(pos)
	if fast := rules.FastPath(p); fast != nil {
		return fast.Count(p) == 0
	}
	s.list.Generate(p)
	return len(s.list.Moves) == 0 && p.Winner == 0
}

// send sends set_position with the limits that the engine knows. text is the
// position.
func (s *session) send(text string, ask *game.Ask) error {
	s.asked = append(s.asked[:0], text...)
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
func (s *session) formFor(p *rules.State) rules.Form {
	if s.dialect == dialectV2 || !rules.FitsV1(p) {
		return rules.V2
	}
	return rules.V1
}

// List asks for the engine's list of next states. About a finished game, or a god that it
// does not know, an engine may say nothing: then a ping ends the wait. One that answers the ping
// first gets a second one, for the list may come from another thread.
func (s *session) List(ctx context.Context, pos game.Position) ([]string, error) {
	_, unsure := pos.(*foreign.Position)
	if unsure = unsure || pos.ToMove() == 0; unsure {
		if err := s.Settle(ctx, nil); err != nil {
			return nil, err
		}
	}
	s.asked = append(s.asked[:0], s.question(pos)...)
	if err := s.Say("next_moves", string(s.asked)); err != nil {
		return nil, err
	}
	if unsure {
		if err := s.Ping(); err != nil {
			return nil, err
		}
	}
	var states []string
	pongs := 0
	err := s.Read(ctx, nil, func(line []byte) (bool, error) {
		if len(line) == 0 { // a pong
			if pongs++; pongs == 2 {
				return false, game.ErrUnlisted
			}
			return false, s.Ping()
		}
		start, list, err := ReadList(line, func(text string) (string, error) { return canonical(text, pos) })
		switch {
		case errors.Is(err, ErrOther):
			if a, bad := ReadAnswer(line); unsure && bad == nil && a.Kind == KindError {
				return false, fmt.Errorf("%w: %s", game.ErrUnlisted, protocol.Quote(line))
			}
		case err != nil:
			return false, game.Protocolf("%v", err)
		case start == "" || s.about([]byte(start), pos):
			states = list
			return true, nil
		}
		s.Pass(line)
		return false, nil
	})
	if p, ok := pos.(*foreign.Position); ok && len(states) == 1 {
		if only, err := foreign.Parse(states[0]); err == nil && p.IsBlocked(only) {
			return nil, nil
		}
	}
	return states, err
}

// question is the text of pos that the engine reads, with indices for one of v1.
func (s *session) question(pos game.Position) string {
	p, ok := pos.(*foreign.Position)
	switch {
	case ok && s.v2:
		return p.String()
	case ok:
		return p.Indices()
	}
	q, _ := rules.Unbox(pos)
	return rules.Text(q, s.formFor(q))
}

// canonical is the text of a state after pos as the arena writes it.
func canonical(text string, pos game.Position) (string, error) {
	if _, ok := pos.(*foreign.Position); ok {
		q, err := foreign.Parse(text)
		if err != nil {
			return "", err
		}
		return q.String(), nil
	}
	_, out := rules.Unbox(pos)
	q, _, err := rules.Parse(text)
	return rules.Text(&q, out), err
}

// await reads until an answer is wanted; it skips all other lines.
func (s *session) await(ctx context.Context, wanted func(*Answer) bool) (a Answer, err error) {
	s.garbled = garbled{}
	err = s.Read(ctx, nil, func(line []byte) (bool, error) {
		var bad error
		if a, bad = ReadAnswer(line); bad == nil && wanted(&a) {
			return true, nil
		}
		s.garbled.see(line, bad)
		s.Pass(line)
		return false, nil
	})
	return a, s.garbled.instead(err)
}

// garbled is what an engine said, instead of an answer, that begins as JSON and cannot
// be read.
type garbled struct {
	line string // the first, quoted
	why  error
}

// see notes a line that was passed over; bad is why it cannot be read, nil if it can.
func (g *garbled) see(line []byte, bad error) {
	if bad != nil && g.line == "" && bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
		g.line, g.why = protocol.Quote(line), bad
	}
}

// instead is the fault of an engine that said nothing else until its time was over:
// it did answer, and what is wrong is the answer.
func (g *garbled) instead(err error) error {
	var fault *game.Fault
	if g.line == "" || !errors.As(err, &fault) || fault.Kind != game.FaultTimeout && fault.Kind != game.FaultStartTimeout {
		return err
	}
	return game.Protocolf("no answer but one that cannot be read (%v): %s", g.why, g.line)
}

// about reports whether an answer that begins with start is about pos: it has the text that
// was sent, or any text of the same position. About a god that we do not know an engine may write
// the state that the question left out.
func (s *session) about(start []byte, pos game.Position) bool {
	if bytes.Equal(start, s.asked) {
		return true
	}
	if p, ok := pos.(*foreign.Position); ok {
		q, err := foreign.Parse(string(start))
		return err == nil && q.Same(p)
	}
	p, _ := rules.Unbox(pos)
	q, _, err := rules.Parse(string(start))
	return err == nil && q == *p
}
