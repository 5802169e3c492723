package gyges

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"thera/engine/game"
)

// dialect is the client side of UGI.
//
// UGI knows no side to move: an engine always plays player 1. For the second
// seat the session turns the board by 180 degrees, and turns moves and lines
// of play back; nothing outside the session knows.
type dialect struct{}

func (dialect) Name() string            { return "ugi" }
func (dialect) Args(game.Seat) []string { return nil }
func (dialect) Bye() string             { return "quit" }

// Dial shakes hands: the banner, then `ugi` until `ugiok`, then the match
// file's options under the names that the engine listed.
func (dialect) Dial(ctx context.Context, conn game.Conn, opts game.Options) (game.Session, game.Info, error) {
	s := &session{
		conn: conn, seat: game.First,
		listed: map[string]string{}, told: map[string]string{}, chosen: map[string]string{},
	}
	if err := s.settings(opts.Protocol); err != nil {
		return nil, game.Info{}, err
	}
	info := game.Info{Protocol: "ugi"}
	if err := conn.Send([]byte("ugi")); err != nil {
		return nil, info, err
	}
	for {
		line, err := s.recv(ctx)
		if err != nil {
			return nil, info, err
		}
		fields := strings.Fields(string(line))
		switch {
		case len(fields) == 1 && fields[0] == "ugiok":
			return s, s.about(info), s.options(ctx, opts.Set)
		case len(fields) > 2 && fields[0] == "id" && fields[1] == "name":
			info.Name = strings.Join(fields[2:], " ")
		case len(fields) > 2 && fields[0] == "id" && fields[1] == "author":
			info.Author = strings.Join(fields[2:], " ")
		case len(fields) > 1 && fields[0] == "option":
			name := fields[1]
			if name == "name" && len(fields) > 2 {
				name = fields[2]
			}
			s.listed[strings.ToLower(name)] = name
			info.Options = append(info.Options, name)
		default:
			conn.Passed(line)
		}
	}
}

// settings reads the match file's `dialect`.
func (s *session) settings(protocol map[string]string) error {
	for key, value := range protocol {
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

// about completes info by what the listed options mean.
func (s *session) about(info game.Info) game.Info {
	has := func(option string) bool { return s.listed[strings.ToLower(option)] != "" }
	info.Limits = game.Limits{Time: has(optionTime), Depth: has(optionPly), Nodes: has(optionNodes)}
	info.Resets = has(optionClear)
	if info.Resets {
		info.Features = append(info.Features, optionClear)
	}
	return info
}

// options sets the match file's options and waits until the engine is ready.
func (s *session) options(ctx context.Context, set []game.Option) error {
	for _, o := range set {
		listed := s.listed[strings.ToLower(o.Name)]
		if listed == "" {
			s.conn.Warn(fmt.Sprintf("option %s is not listed by the engine and was not set", o.Name))
			continue
		}
		s.chosen[listed] = o.Value
		if err := s.setOption(o.Name, o.Value); err != nil {
			return err
		}
	}
	return s.fence(ctx)
}

// setOption sends an option under its listed name, unless the engine was told
// the same value last. One that is not listed is not sent.
func (s *session) setOption(name, value string) error {
	listed := s.listed[strings.ToLower(name)]
	if listed == "" || s.told[listed] == value {
		return nil
	}
	s.told[listed] = value
	return s.send("setoption " + listed + " " + value)
}

// fence asks isready and reads until every readyok that is owed has come: no
// answer from before can be taken for one to a later question.
func (s *session) fence(ctx context.Context) error {
	if err := s.askReady(); err != nil {
		return err
	}
	for s.owed > 0 {
		line, err := s.recv(ctx)
		if err != nil {
			return err
		}
		if !s.ready(line) {
			s.conn.Passed(line)
		}
	}
	return nil
}

func (s *session) askReady() error {
	s.owed++
	return s.send("isready")
}

// ready says whether line is a readyok that is owed, and counts it.
func (s *session) ready(line []byte) bool {
	if s.owed == 0 || strings.TrimSpace(string(line)) != "readyok" {
		return false
	}
	s.owed--
	return true
}

func (s *session) send(line string) error { return s.conn.Send([]byte(line)) }

// recv is for calls in which a soft limit means nothing.
func (s *session) recv(ctx context.Context) ([]byte, error) {
	for {
		line, err := s.conn.Recv(ctx)
		if !errors.Is(err, game.ErrSoft) {
			return line, err
		}
	}
}
