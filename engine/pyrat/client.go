package pyrat

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
	"thera/engine/pyrat/rules"
)

// Dialect is the text protocol, from the host's side. Its one setting is
// debug: on.
type Dialect struct{}

// Name is "pyrat".
func (Dialect) Name() string { return "pyrat" }

// Args are none: an AI learns its seat by youare.
func (Dialect) Args(game.Seat) []string { return nil }

// Bye is nothing: the protocol has no quit.
func (Dialect) Bye() string { return "" }

// option is one that an AI listed.
type option struct {
	kind, value string
	least, most int64
	choices     []string
}

// Dial shakes hands and sets options. A value that a listed option cannot have
// is an error of the match, not of the AI.
func (Dialect) Dial(ctx context.Context, conn game.Conn, opts game.Options) (game.Session, game.Info, error) {
	s := &session{conn: conn, options: map[string]option{}}
	if p, ok := opts.Rules.(*rules.Position); ok {
		r := p.Board().Settings
		s.prepare, s.after = r.Preprocessing, r.Postprocessing
	}
	if err := s.say("pyrat"); err != nil {
		return nil, game.Info{}, err
	}
	in := game.Info{Protocol: "1.0", Limits: game.Limits{Time: true}, Resets: true}
	for {
		words, line, err := s.hear(ctx)
		if err != nil {
			return nil, in, err
		}
		switch {
		case len(words) > 2 && words[0] == "id" && words[1] == "name":
			in.Name = strings.Join(words[2:], " ")
		case len(words) > 2 && words[0] == "id" && words[1] == "author":
			in.Author = strings.Join(words[2:], " ")
		case words[0] == "option":
			if name, o, ok := readOption(words[1:]); ok {
				s.options[name] = o
				in.Options = append(in.Options, name)
			} else {
				conn.Warn(fmt.Sprintf("unreadable option: %q", line))
			}
		case len(words) > 2 && words[0] == "protocol" && words[1] == "version":
			if !slices.ContainsFunc(words[2:], func(v string) bool { return v == "1" || strings.HasPrefix(v, "1.") }) {
				conn.Warn(fmt.Sprintf("protocol versions: none of %s is 1.x", strings.Join(words[2:], " ")))
			}
		case words[0] == "pyratready" && len(words) == 1:
			return s, in, s.configure(opts)
		default:
			conn.Passed(line)
		}
	}
}

// readOption reads "name N type T default V …"; names and values may hold
// blanks.
func readOption(words []string) (string, option, bool) {
	fields := map[string][]string{}
	var o option
	key := ""
	for _, w := range words {
		switch w {
		case "name", "type", "default", "min", "max":
			if _, twice := fields[w]; !twice {
				key = w
				fields[key] = []string{}
				continue
			}
		case "var":
			key = w
			o.choices = append(o.choices, "")
			continue
		}
		if key == "var" {
			last := &o.choices[len(o.choices)-1]
			*last = strings.TrimSpace(*last + " " + w)
			continue
		}
		fields[key] = append(fields[key], w)
	}
	text := func(key string) string { return strings.Join(fields[key], " ") }
	o.kind, o.value = text("type"), text("default")
	switch o.kind {
	case "check", "string", "button":
	case "spin":
		var errA, errB error
		o.least, errA = strconv.ParseInt(text("min"), 10, 64)
		o.most, errB = strconv.ParseInt(text("max"), 10, 64)
		if errA != nil || errB != nil || o.least > o.most {
			return "", o, false
		}
	case "combo":
		if len(o.choices) == 0 {
			return "", o, false
		}
	default:
		return "", o, false
	}
	return text("name"), o, text("name") != ""
}

// check says why the option cannot have that value.
func (o option) check(value string) error {
	switch o.kind {
	case "check":
		if value != "true" && value != "false" {
			return fmt.Errorf("want true or false")
		}
	case "spin":
		if n, err := strconv.ParseInt(value, 10, 64); err != nil || n < o.least || n > o.most {
			return fmt.Errorf("want %d to %d", o.least, o.most)
		}
	case "combo":
		if !slices.Contains(o.choices, value) {
			return fmt.Errorf("want one of %s", strings.Join(o.choices, ", "))
		}
	}
	return nil
}

// configure sends debug and the options.
func (s *session) configure(opts game.Options) error {
	for name, value := range opts.Protocol {
		if name != "debug" || value != "on" && value != "off" {
			return fmt.Errorf("protocol setting %s: %q: the only one is debug, on or off", name, value)
		}
		if err := s.say("debug " + value); err != nil {
			return err
		}
	}
	for _, set := range opts.Set {
		if strings.ContainsAny(set.Name+set.Value, "\r\n") {
			return fmt.Errorf("option %q: a line break", set.Name)
		}
		o, listed := s.options[set.Name]
		line := "setoption name " + set.Name + " value " + set.Value
		switch {
		case !listed:
			s.conn.Warn(fmt.Sprintf("option %s: not listed by the engine", set.Name))
		case o.kind == "button":
			line = "setoption name " + set.Name
		default:
			if err := o.check(set.Value); err != nil {
				return fmt.Errorf("option %s: %q: %w", set.Name, set.Value, err)
			}
		}
		if err := s.say(line); err != nil {
			return err
		}
	}
	return nil
}

// session is one AI's conversation.
type session struct {
	conn    game.Conn
	options map[string]option
	seat    game.Seat
	told    *game.Line // what the AI knows
	fresh   bool       // newgame was sent and no go since: a placeholder is due
	owed    int        // answers to go that have not come
	last    info       // of the last move asked for

	prompted bool // go was sent by Prompt, and its answer has not been heard

	move, prepare, after time.Duration
}

var (
	_ game.Session  = (*session)(nil)
	_ game.Phased   = (*session)(nil)
	_ game.Timed    = (*session)(nil)
	_ game.Prompter = (*session)(nil)
)

func (s *session) say(line string) error { return s.conn.Send([]byte(line)) }

// hear returns the next line that is not blank.
func (s *session) hear(ctx context.Context) (words []string, line []byte, err error) {
	for {
		if line, err = s.conn.Recv(ctx); err != nil {
			return nil, nil, err
		}
		if words = strings.Fields(string(line)); len(words) > 0 {
			return words, line, nil
		}
	}
}

// Control tells the limits that timecontrol passes on.
func (s *session) Control(move, prepare, after time.Duration) {
	s.move = move
	if prepare > 0 {
		s.prepare = prepare
	}
	if after > 0 {
		s.after = after
	}
}

// SeatLimit is the preprocessing time.
func (s *session) SeatLimit() time.Duration { return s.prepare }

// EndLimit is the postprocessing time.
func (s *session) EndLimit() time.Duration { return s.after }

// Fits: an AI can play any maze.
func (s *session) Fits(pos game.Position) error {
	if _, ok := pos.(*rules.Position); !ok {
		return fmt.Errorf("%T is no position of PyRat", pos)
	}
	return nil
}
