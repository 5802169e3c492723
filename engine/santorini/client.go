package santorini

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"thera/engine/game"
)

// The dialects. auto sends squares as indices wherever the position can be
// said so, which engines of both generations read, and v2's form elsewhere.
const (
	dialectAuto = "auto"
	dialectV1   = "v1"
	dialectV2   = "v2"
)

// session is one engine's conversation.
type session struct {
	conn    game.Conn
	dialect string // dialectAuto, or the generation that is known
	limits  bool   // set_position takes limits
	resets  bool   // new_game is known
	v2      bool   // reads squares and all gods
	owed    int    // pongs not yet seen
	line    []byte // what is being sent
	asked   []byte // the position text of the last question
	steps   [16]step
	frame   *frame
	turn    turn // kept for its room
}

// Dial waits for `started` and sets the options. The probe of an engine that
// announces nothing is a blocked position: the generations answer it
// differently.
func (d dialect) Dial(ctx context.Context, conn game.Conn, opts game.Options) (game.Session, game.Info, error) {
	s := &session{conn: conn, dialect: d.name, v2: d.name == dialectV2, frame: newFrame()}
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
		if err := s.ask(ctx); err != nil {
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
		// Depth is kept for engines without limits too: the session stops them
		// at the depth they report.
		Limits: game.Limits{Time: s.limits, Depth: true, Nodes: s.limits},
	}
	if s.v2 {
		info.Protocol = dialectV2
	}
	return s, info, nil
}

// ask finds the generation of a silent engine.
func (s *session) ask(ctx context.Context) error {
	const blocked = "0200022000000000000000000/1/mortal:0/mortal:23,24"
	if err := s.send("next_moves", blocked); err != nil {
		return err
	}
	if err := s.ping(); err != nil {
		return err
	}
	return s.fence(ctx, func(a *answer) bool {
		if a.kind != kindNextMoves {
			return false
		}
		s.v2 = bytes.Contains(a.start, []byte("A5"))
		return true
	})
}

// setOptions sends the options of the match file. Only engines with features
// know set_option; their refusals come as error lines before the pong.
func (s *session) setOptions(ctx context.Context, options []game.Option, known bool) error {
	if len(options) == 0 {
		return nil
	}
	if !known {
		return fmt.Errorf("option %s: the engine announces no features, so it has no options", options[0].Name)
	}
	for _, o := range options {
		if err := s.send("set_option", o.Name+" "+o.Value); err != nil {
			return err
		}
		if err := s.ping(); err != nil {
			return err
		}
		var refused error
		if err := s.fence(ctx, func(a *answer) bool {
			if a.kind != kindError {
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
// generation. Where the generation is unknown, the position text decides: it
// fails in the first ask at worst.
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

// Seat begins a game: what the engine learned from the last one goes.
func (s *session) Seat(ctx context.Context, _ game.Seat, _ *game.Line) error {
	if s.resets {
		if err := s.conn.Send([]byte("new_game")); err != nil {
			return err
		}
		if err := s.ping(); err != nil {
			return err
		}
	}
	return s.fence(ctx, nil)
}

// Sync waits until the engine has answered the ping behind its last stop, so
// that nothing it says about an earlier turn can reach the next.
func (s *session) Sync(ctx context.Context, _ *game.Line) error { return s.fence(ctx, nil) }

// End has nothing to tell: the protocol knows no end of a game.
func (s *session) End(ctx context.Context, _ *game.Line, _ game.Outcome) error {
	return s.fence(ctx, nil)
}

// Go asks for the next state. A blocked mover is not asked.
func (s *session) Go(ctx context.Context, ask game.Ask) (game.Reply, error) {
	p, f := unbox(ask.Line.Position)
	if s.blocked(p) {
		q := blocked(p, f)
		return game.Reply{Move: q.text(f)}, nil
	}
	if err := s.question(p, &ask); err != nil {
		return game.Reply{}, err
	}
	t := &s.turn
	t.session, t.ask, t.from, t.form, t.answered, t.stopped = s, &ask, p, f, false, false
	if err := t.play(ctx); err != nil {
		return game.Reply{}, err
	}
	return t.reply()
}

// blocked reports whether the mover has no turn.
func (s *session) blocked(p *state) bool {
	if fast := fastFor(p); fast != nil {
		return fast.count(p) == 0
	}
	s.frame.generate(p)
	return len(s.frame.moves) == 0 && p.winner == 0
}

// question sends set_position with what the engine can be told of the limits.
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
	return s.conn.Send(s.line)
}

// formFor is the form in which the engine is told p.
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
	if err := s.send("next_moves", string(s.asked)); err != nil {
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

// await reads until an answer is wanted; all else is passed over.
func (s *session) await(ctx context.Context, wanted func(*answer) bool) (answer, error) {
	for {
		line, err := s.conn.Recv(ctx)
		if errors.Is(err, game.ErrSoft) {
			continue
		}
		if err != nil {
			return answer{}, err
		}
		if s.pong(line) {
			continue
		}
		a, err := readAnswer(line)
		if err == nil && wanted(&a) {
			return a, nil
		}
		s.passed(line)
	}
}

// fence reads until no pong is owed. Answers that wanted takes are used, the
// rest is passed over: it belongs to an earlier turn.
func (s *session) fence(ctx context.Context, wanted func(*answer) bool) error {
	for {
		line, err := s.next(ctx)
		if err != nil || line == nil {
			return err
		}
		if s.pong(line) {
			continue
		}
		if wanted != nil {
			if a, err := readAnswer(line); err == nil && wanted(&a) {
				continue
			}
		}
		s.passed(line)
	}
}

// next is a line that is there or owed, nil when there is neither.
func (s *session) next(ctx context.Context) ([]byte, error) {
	for s.owed > 0 {
		line, err := s.conn.Recv(ctx)
		if !errors.Is(err, game.ErrSoft) {
			return line, err
		}
	}
	line, _ := s.conn.Pending()
	return line, nil
}

func (s *session) send(command, rest string) error {
	s.line = append(append(append(s.line[:0], command...), ' '), rest...)
	return s.conn.Send(s.line)
}

func (s *session) ping() error {
	s.owed++
	return s.conn.Send([]byte("ping"))
}

// pong takes a pong that is owed.
func (s *session) pong(line []byte) bool {
	if s.owed == 0 || string(bytes.TrimSpace(line)) != "pong" {
		return false
	}
	s.owed--
	return true
}

func (s *session) passed(line []byte) {
	if len(bytes.TrimSpace(line)) > 0 {
		s.conn.Passed(line)
	}
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
