package protocol

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"thera/engine/game"
	"thera/engine/protocol"
	"thera/engine/pyrat/rules"
)

// Dialect is the text protocol, from the host's side. Its one setting is
// debug: on.
type Dialect struct {
	// Adapted is for an adapter that speaks for a bot of another protocol. That is told all that
	// a position has, and each turn of a game in which it is restarted.
	Adapted bool
}

// Name is "pyrat".
func (Dialect) Name() string { return "pyrat" }

// Args are none: youare tells an AI its seat.
func (Dialect) Args(game.Seat) []string { return nil }

// Bye is empty: the protocol has no quit.
func (Dialect) Bye() string { return "" }

// Ping is isready, which is answered at once also while the AI thinks.
func (Dialect) Ping() (question, answer string) { return fence.Question, fence.Answer }

// Dial shakes hands and sets options. A value that a listed option cannot have
// is an error of the match, not of the AI.
func (d Dialect) Dial(ctx context.Context, conn game.Conn, opts game.Options) (game.Session, game.Info, error) {
	s := &session{Client: protocol.NewClient(conn, fence), moveTime: opts.MoveTime, adapted: d.Adapted}
	info := game.Info{Protocol: "1.0", Limits: game.Limits{Time: true}, Resets: true}
	if p, ok := opts.Rules.(*rules.Position); ok {
		s.preprocessing, s.postprocessing = p.Board().Settings.Preprocessing, p.Board().Settings.Postprocessing
		info.Preparation, info.Afterwards = s.preprocessing, s.postprocessing
	}
	if err := s.Say("pyrat"); err != nil {
		return nil, info, err
	}
	s.Expect("pyratready")
	err := s.Read(ctx, nil, func(line []byte) (bool, error) {
		words := strings.Fields(string(line))
		switch {
		case len(words) > 2 && words[0] == "id" && words[1] == "name":
			info.Name = strings.Join(words[2:], " ")
		case len(words) > 2 && words[0] == "id" && words[1] == "author":
			info.Author = strings.Join(words[2:], " ")
		case words[0] == "option":
			if o, err := protocol.ParseOption(string(line)); err == nil {
				s.options.Add(o)
			} else {
				conn.Warn(fmt.Sprintf("unreadable option: %v: %s", err, protocol.Quote(line)))
			}
		case len(words) > 2 && words[0] == "protocol" && words[1] == "version":
			if !slices.ContainsFunc(words[2:], func(v string) bool { return v == "1" || strings.HasPrefix(v, "1.") }) {
				conn.Warn(fmt.Sprintf("protocol versions: none of %s is 1.x", strings.Join(words[2:], " ")))
			}
		case words[0] == "pyratready" && len(words) == 1:
			return true, nil
		default:
			s.Pass(line)
		}
		return false, nil
	})
	info.Options = s.options.Names()
	info.Limits.Nodes = s.limitOption(optionPlayouts) != nil && !s.adapted
	info.Limits.Depth = s.limitOption(optionDepth) != nil && !s.adapted
	if err == nil {
		err = s.configure(opts)
	}
	if err != nil {
		return nil, info, err
	}
	return s, info, nil
}

// configure sends debug and the options.
func (s *session) configure(opts game.Options) error {
	for name, value := range opts.Protocol {
		if name != "debug" || value != "on" && value != "off" {
			return fmt.Errorf("protocol setting %s: %q: the only one is debug, on or off", name, value)
		}
		if err := s.Say("debug", value); err != nil {
			return err
		}
	}
	for _, set := range opts.Set {
		o := s.options.Find(set.Name)
		if o == nil {
			s.Conn.Warn(fmt.Sprintf("option %s: not listed by the engine", set.Name))
			o = &protocol.ListedOption{Name: set.Name}
		}
		if strings.ContainsAny(o.Name, "\r\n") {
			return fmt.Errorf("option %q: a line break", o.Name)
		}
		if err := o.Check(set.Value); err != nil {
			return err
		}
		s.options.Choose(set.Name, set.Value)
		if err := s.Say(o.Command(set.Value)); err != nil {
			return err
		}
	}
	return nil
}
