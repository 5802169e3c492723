package protocol

import (
	"context"
	"fmt"
	"strings"
	"time"

	"thera/engine/game"
	"thera/engine/protocol"
)

// Dialect is the client side of UGI.
//
// UGI has no side to move: an engine always plays player 1. For the second
// seat the session rotates the board by 180 degrees, and rotates moves back;
// nothing outside the session knows.
type Dialect struct{}

// Name is "ugi".
func (Dialect) Name() string            { return "ugi" }
func (Dialect) Args(game.Seat) []string { return nil }
func (Dialect) Bye() string             { return "quit" }

// Ping is answered at once, also while the engine thinks.
func (Dialect) Ping() (question, answer string) { return fence.Question, fence.Answer }

var fence = protocol.Fence{Question: "isready", Answer: "readyok"}

// Dial shakes hands: `ugi` until `ugiok`, then the match file's options under
// the names that the engine lists.
func (Dialect) Dial(ctx context.Context, conn game.Conn, opts game.Options) (game.Session, game.Info, error) {
	s := &session{Client: protocol.NewClient(conn, fence), seat: game.First}
	info := game.Info{Protocol: "ugi"}
	if err := s.settings(opts.Protocol); err != nil {
		return nil, info, err
	}
	if err := s.Say("ugi"); err != nil {
		return nil, info, err
	}
	s.Expect("ugiok")
	err := s.Read(ctx, nil, func(line []byte) (bool, error) {
		fields := strings.Fields(string(line))
		switch {
		case len(fields) == 1 && fields[0] == "ugiok":
			return true, nil
		case len(fields) > 2 && fields[0] == "id" && fields[1] == "name":
			info.Name = strings.Join(fields[2:], " ")
		case len(fields) > 2 && fields[0] == "id" && fields[1] == "author":
			info.Author = strings.Join(fields[2:], " ")
		case len(fields) > 1 && fields[0] == "option":
			name := fields[1]
			if name == "name" && len(fields) > 2 {
				name = fields[2]
			}
			s.listed.Add(protocol.ListedOption{Name: name})
		default:
			s.Pass(line)
		}
		return false, nil
	})
	if err != nil {
		return nil, info, err
	}
	info.MinMove = s.minMove
	has := func(option string) bool { return s.listed.Find(option) != nil }
	info.Options = s.listed.Names()
	info.Limits = game.Limits{Time: has(optionTime), Depth: has(optionPly), Nodes: has(optionNodes)}
	if has(optionClear) {
		info.Resets, info.Features = true, []string{optionClear}
	}
	return s, info, s.setOptions(ctx, opts.Set)
}

// settings reads the match file's `dialect`.
func (s *session) settings(settings map[string]string) error {
	for key, value := range settings {
		if key != "min_move" {
			return fmt.Errorf("dialect setting %q: ugi knows only min_move", key)
		}
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 {
			return fmt.Errorf("dialect setting min_move: %q is not a duration such as 1s", value)
		}
		s.minMove = d
	}
	return nil
}

// setOptions sets the match file's options and waits until the engine is
// ready.
func (s *session) setOptions(ctx context.Context, options []game.Option) error {
	for _, o := range options {
		listed := s.listed.Find(o.Name)
		if listed == nil {
			s.Conn.Warn(fmt.Sprintf("option %s is not listed by the engine and was not set", o.Name))
			continue
		}
		if s.listed.Choose(o.Name, o.Value) {
			if err := s.Say("setoption", listed.Name, o.Value); err != nil {
				return err
			}
		}
	}
	return s.Fence(ctx, nil)
}
