package mill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"thera/engine/game"
)

// dialect is the UCI-like protocol of mill engines; see PROTOCOL.md.
type dialect struct{}

func (dialect) Name() string            { return "uci" }
func (dialect) Args(game.Seat) []string { return nil }
func (dialect) Bye() string             { return "quit" }

// Dial shakes hands, checks and sets the options that the match file names
// and those that its rules need.
func (dialect) Dial(ctx context.Context, conn game.Conn, opts game.Options) (game.Session, game.Info, error) {
	s := &session{conn: conn, rules: defaultRules}
	if err := s.handshake(ctx); err != nil {
		return nil, game.Info{}, err
	}
	if err := s.limit(opts.Protocol); err != nil {
		return nil, game.Info{}, err
	}
	set := opts.Set
	if start, ok := opts.Rules.(*Position); ok {
		ruled, err := s.ruleOptions(start.rules, set)
		if err != nil {
			return nil, game.Info{}, err
		}
		set = append(ruled, set...)
		s.rules = *start.rules
	}
	var problems []error
	for _, o := range set {
		listed, err := findOption(s.options, o.Name)
		if err == nil {
			err = listed.check(o.Value)
		}
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if err := conn.Send([]byte(listed.command(o.Value))); err != nil {
			return nil, game.Info{}, err
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, game.Info{}, fmt.Errorf("options of %s: %w", s.info.Name, err)
	}
	return s, s.info, s.fence(ctx)
}

// handshake reads until uciok; banners, blank lines and prose are passed over.
func (s *session) handshake(ctx context.Context) error {
	if err := s.conn.Send([]byte("uci")); err != nil {
		return err
	}
	for {
		line, err := s.recv(ctx)
		if err != nil {
			return err
		}
		text := string(bytes.TrimSpace(line))
		name, isName := strings.CutPrefix(text, "id name ")
		author, isAuthor := strings.CutPrefix(text, "id author ")
		o, isOption := parseOption(text)
		limits, isLimits := strings.CutPrefix(text, limitsLine)
		switch {
		case text == "uciok":
			s.info.Protocol = "mill uci"
			s.info.Resets = true
			return nil
		case isName:
			s.info.Name = strings.TrimSpace(name)
		case isAuthor:
			s.info.Author = strings.TrimSpace(author)
		case isOption:
			s.options = append(s.options, o)
			s.info.Options = append(s.info.Options, o.name)
		case isLimits:
			s.info.Features = append(s.info.Features, strings.Fields(limits)...)
		default:
			s.passed(line)
		}
	}
}

// limitsLine is how our engine announces, in a line that all others may
// ignore, which limits of `go` it obeys.
const limitsLine = "info string limits "

// oldEngine is the family that ignores all words after go: it names itself
// with the date of its build.
var oldEngine = regexp.MustCompile(`^Sanmill \d`)

// limit finds out which limits the engine obeys: said by the match file
// (protocol: {limits: "time depth"}), announced, or as the written protocol
// has it: depth and movetime.
func (s *session) limit(settings map[string]string) error {
	words := s.info.Features
	for key, value := range settings {
		if key != "limits" {
			return fmt.Errorf("protocol setting %q: mill's has only limits", key)
		}
		words = append([]string{}, strings.Fields(strings.ReplaceAll(value, ",", " "))...)
	}
	if words == nil && !oldEngine.MatchString(s.info.Name) {
		words = []string{"time", "depth"}
	}
	for _, w := range words {
		switch w {
		case "time":
			s.info.Limits.Time = true
		case "clock":
			s.info.Limits.Clock = true
		case "depth":
			s.info.Limits.Depth = true
		case "nodes":
			s.info.Limits.Nodes = true
		default:
			return fmt.Errorf("protocol setting limits: %q: want time, clock, depth or nodes", w)
		}
	}
	return nil
}

// ruleOptions are the options that tell the engine of rules other than the
// default ones, except those the match file sets itself.
func (s *session) ruleOptions(r *rules, set []game.Option) ([]game.Option, error) {
	var wanted []game.Option
	if r.flying != defaultRules.flying {
		wanted = append(wanted, game.Option{Name: "MayFly", Value: strconv.FormatBool(r.flying)})
	}
	if r.quiet != defaultRules.quiet {
		value := strconv.Itoa(r.quiet)
		wanted = append(wanted, game.Option{Name: "NMoveRule", Value: value})
		if _, err := findOption(s.options, "EndgameNMoveRule"); err == nil {
			wanted = append(wanted, game.Option{Name: "EndgameNMoveRule", Value: value})
		}
	}
	var ruled []game.Option
	for _, o := range wanted {
		said := false
		for _, other := range set {
			said = said || other.Name == o.Name
		}
		if said {
			continue
		}
		if _, err := findOption(s.options, o.Name); err != nil {
			return nil, fmt.Errorf("the rules of this match need an engine with an option %s: %w", o.Name, err)
		}
		ruled = append(ruled, o)
	}
	return ruled, nil
}
