package protocol

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
)

// GTPBoard is what a game's moves are in GTP. Black is the first seat, always.
type GTPBoard interface {
	// Size is the side of the board. The error is a position of another game; the other
	// methods are given none.
	Size(pos game.Position) (int, error)

	// Plays are the moves that lead from the empty board to pos, as "black c3".
	Plays(pos game.Position) []string

	// Move is the engine's answer as the rules write it. kept is whether the engine's
	// board has it as Plays does.
	Move(pos game.Position, answer string) (move string, kept bool)
}

// DialGTP begins a conversation and sets size and options. An option is sent as it stands, its
// value after its name. What the engine refuses is no fault, but an error in its words.
func DialGTP(ctx context.Context, conn game.Conn, opts game.Options, board GTPBoard) (game.Session, game.Info, error) {
	for key := range opts.Protocol {
		return nil, game.Info{}, fmt.Errorf("dialect setting %q: GTP has none", key)
	}
	s := &gtpSession{GTP: GTP{NewClient(conn, Fence{})}, board: board}
	info := game.Info{Protocol: "gtp"}
	said := map[string]string{}
	for _, question := range [][]string{{"protocol_version"}, {"name"}, {"version"}, {"known_command", "time_settings"}} {
		text, err := s.Do(ctx, question...)
		if refused, ok := errors.AsType[*GTPRefusal](err); ok {
			err, text = nil, ""
			if len(said) == 0 {
				text = refused.Text
			}
		}
		if err != nil {
			return nil, game.Info{}, err
		}
		said[question[0]] = text
	}
	s.Client = NewClient(conn, Fence{Question: "protocol_version", Answer: said["protocol_version"], Cut: cutGTP})
	info.Name = strings.TrimSpace(said["name"] + " " + said["version"])
	s.timed = said["known_command"] == "true"
	info.Limits.Time = s.timed && opts.MoveTime >= time.Second
	if opts.Rules != nil {
		if err := s.resize(ctx, opts.Rules); err != nil {
			return nil, game.Info{}, err
		}
	}
	for _, o := range opts.Set {
		if _, err := s.Do(ctx, strings.Fields(o.Name+" "+o.Value)...); err != nil {
			return nil, game.Info{}, err
		}
		info.Options = append(info.Options, o.Name)
	}
	return s, info, nil
}

// cutGTP finds the fence by its text: the answer may have an id.
func cutGTP(line []byte, answer string) (rest []byte, found bool) {
	text, _, ok := ReadGTP(line)
	return nil, ok && text == answer
}

// gtpSession is the conversation with one engine.
type gtpSession struct {
	GTP
	board   GTPBoard
	colour  string
	known   []string // the moves on its board
	set     bool     // its board has known
	timed   bool     // it takes time_settings
	seconds int      // sent last
	timing  bool     // with the last question: one more answer is to come
	pos     game.Position
}

// resize asks for the size of pos, which also clears the board.
func (s *gtpSession) resize(ctx context.Context, pos game.Position) error {
	size, err := s.board.Size(pos)
	if err == nil {
		_, err = s.Do(ctx, "boardsize", strconv.Itoa(size))
	}
	return err
}

// Fits refuses positions of another game. What the engine refuses, it refused at its start.
func (s *gtpSession) Fits(pos game.Position) error {
	_, err := s.board.Size(pos)
	return err
}

// Seat begins a game. What it has said before has no part in it.
func (s *gtpSession) Seat(ctx context.Context, seat game.Seat, history *game.History) error {
	if err := s.Fence(ctx, nil); err != nil {
		return err
	}
	s.colour = [2]string{"black", "white"}[seat.Index()]
	s.set, s.seconds = false, 0
	if history == nil {
		return nil
	}
	if err := s.resize(ctx, history.Position); err != nil {
		return refusedFault(err)
	}
	return s.Sync(ctx, history)
}

// Sync brings the engine's board to the position by undo and play. Where it refuses that, its
// board is set up from the beginning, once.
func (s *gtpSession) Sync(ctx context.Context, history *game.History) error {
	s.Drain(nil)
	plays, kept := s.board.Plays(history.Position), s.set
	err := s.change(ctx, plays)
	if kept && errors.As(err, new(*GTPRefusal)) {
		s.Conn.Warn(err.Error() + "; its board is set up again")
		s.set = false
		err = s.change(ctx, plays)
	}
	return refusedFault(err)
}

// change takes back what is not among plays and plays the others. It begins with an empty board
// where it is not known what is on it.
func (s *gtpSession) change(ctx context.Context, plays []string) error {
	if !s.set {
		if _, err := s.Do(ctx, "clear_board"); err != nil {
			return err
		}
		s.set, s.known = true, nil
	}
	same := 0
	for same < min(len(plays), len(s.known)) && plays[same] == s.known[same] {
		same++
	}
	for len(s.known) > same {
		if _, err := s.Do(ctx, "undo"); err != nil {
			return err
		}
		s.known = s.known[:len(s.known)-1]
	}
	for _, play := range plays[same:] {
		if _, err := s.Do(ctx, "play", play); err != nil {
			return err
		}
		s.known = append(s.known, play)
	}
	return nil
}

// Ask tells the time of the move, in whole seconds, where it is news, and asks.
func (s *gtpSession) Ask(ask game.Ask) error {
	if ask.Depth > 0 || ask.Nodes > 0 {
		return game.ErrLimit
	}
	s.pos, s.timing = ask.History.Position, false
	seconds := int(ask.Time / time.Second)
	if s.seconds > 0 {
		seconds = max(seconds, 1) // less cannot be said
	}
	if s.timed && seconds > 0 && seconds != s.seconds {
		s.seconds, s.timing = seconds, true
		if err := s.Say("time_settings", "0", strconv.Itoa(seconds), "1"); err != nil {
			return err
		}
	}
	return s.Say("genmove", s.colour)
}

// Answer waits for the move. GTP has no stop.
func (s *gtpSession) Answer(ctx context.Context) (game.Reply, error) {
	if s.timing {
		if _, err := s.await(ctx, "time_settings"); err != nil && !errors.As(err, new(*GTPRefusal)) {
			return game.Reply{}, err
		}
		s.timing = false
	}
	text, err := s.await(ctx, "genmove "+s.colour)
	if err != nil {
		return game.Reply{}, refusedFault(err)
	}
	answer, _, _ := strings.Cut(strings.ToLower(text), " ")
	switch answer {
	case "":
		return game.Reply{}, game.Protocolf("genmove is answered with no move")
	case "resign":
		return game.Reply{Resigned: true}, nil
	}
	move, kept := s.board.Move(s.pos, answer)
	s.set = s.set && kept
	s.known = append(s.known, s.colour+" "+answer)
	return game.Reply{Move: move}, nil
}

// End sends nothing.
func (s *gtpSession) End(context.Context, *game.History, game.Outcome) error { return nil }
