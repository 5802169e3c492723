package protocol

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"thera/engine/game"
	"thera/engine/mill/rules"
	"thera/engine/protocol"
)

// Dialect is the UCI-like protocol of mill engines; see PROTOCOL.md.
type Dialect struct{}

// Name is "uci".
func (Dialect) Name() string { return "uci" }

// Args are none.
func (Dialect) Args(game.Seat) []string { return nil }

// Bye is quit.
func (Dialect) Bye() string { return "quit" }

// Ping is answered at once, also while the engine thinks.
func (Dialect) Ping() (question, answer string) { return fence.Question, fence.Answer }

// fence finds its answer anywhere in a line: the threads of real engines write
// `Fen: readyok` and `readyokDepth: 30`.
var fence = protocol.Fence{Question: "isready", Answer: "readyok", Cut: protocol.Within}

// Dial shakes hands, then checks and sets the options that the match file
// names and those that its rules need.
func (Dialect) Dial(ctx context.Context, conn game.Conn, opts game.Options) (game.Session, game.Info, error) {
	s := &session{Client: protocol.NewClient(conn, fence), rules: rules.Default()}
	info, err := s.handshake(ctx)
	if err != nil {
		return nil, game.Info{}, err
	}
	if info.Limits, err = limitsOf(info, opts.Protocol); err != nil {
		return nil, game.Info{}, err
	}
	set := opts.Set
	if start, ok := opts.Rules.(*rules.Position); ok {
		forRules, err := s.ruleOptions(start.Rules(), set)
		if err != nil {
			return nil, game.Info{}, err
		}
		set = append(forRules, set...)
		s.rules = start.Rules()
	}
	var problems []error
	for _, o := range set {
		listed := s.options.Find(o.Name)
		if listed == nil {
			problems = append(problems, s.options.Unlisted(o.Name))
		} else if err := listed.Check(o.Value); err != nil {
			problems = append(problems, err)
		} else if err := s.Say(listed.Command(o.Value)); err != nil {
			return nil, game.Info{}, err
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, game.Info{}, fmt.Errorf("options of %s: %w", info.Name, err)
	}
	return s, info, s.Fence(ctx)
}

// handshake reads until uciok. Banners, blank lines and prose have no use.
func (s *session) handshake(ctx context.Context) (game.Info, error) {
	info := game.Info{Protocol: "mill uci", Resets: true}
	if err := s.Say("uci"); err != nil {
		return info, err
	}
	s.Expect("uciok")
	err := s.Read(ctx, nil, func(line []byte) (bool, error) {
		text := string(bytes.TrimSpace(line))
		name, isName := strings.CutPrefix(text, "id name ")
		author, isAuthor := strings.CutPrefix(text, "id author ")
		limits, isLimits := strings.CutPrefix(text, limitsLine)
		switch {
		case text == "uciok":
			return true, nil
		case isName:
			info.Name = strings.TrimSpace(name)
		case isAuthor:
			info.Author = strings.TrimSpace(author)
		case isLimits:
			info.Features = append(info.Features, strings.Fields(limits)...)
		default:
			if o, err := protocol.ParseOption(text); err == nil {
				s.options.Add(o)
			} else {
				s.Pass(line)
			}
		}
		return false, nil
	})
	info.Options = s.options.Names()
	return info, err
}

// limitsLine is how our engine announces, in a line that all others may
// ignore, which limits of `go` it obeys.
const limitsLine = "info string limits "

// oldEngine is the family that ignores all words after go: it names itself
// with the date of its build.
func oldEngine(name string) bool {
	old, _ := regexp.MatchString(`^Sanmill \d`, name)
	return old
}

// limitsOf finds out which limits the engine obeys: what the match file says
// (dialect: {limits: "time depth"}), else what the engine announced, else those
// of the written protocol, depth and movetime.
func limitsOf(info game.Info, settings map[string]string) (game.Limits, error) {
	var limits game.Limits
	words := info.Features
	for key, value := range settings {
		if key != "limits" {
			return limits, fmt.Errorf("protocol setting %q: mill's has only limits", key)
		}
		words = append([]string{}, strings.Fields(strings.ReplaceAll(value, ",", " "))...)
	}
	if words == nil && !oldEngine(info.Name) {
		words = []string{"time", "depth"}
	}
	for _, w := range words {
		switch w {
		case "time":
			limits.Time = true
		case "clock":
			limits.Clock = true
		case "depth":
			limits.Depth = true
		case "nodes":
			limits.Nodes = true
		default:
			return limits, fmt.Errorf("protocol setting limits: %q: want time, clock, depth or nodes", w)
		}
	}
	return limits, nil
}

// ruleOptions are the options that set rules other than the default ones,
// except those that the match file sets itself.
func (s *session) ruleOptions(r rules.Rules, set []game.Option) ([]game.Option, error) {
	var wanted []game.Option
	if r.Flying != rules.Default().Flying {
		wanted = append(wanted, game.Option{Name: "MayFly", Value: strconv.FormatBool(r.Flying)})
	}
	if r.QuietPlies != rules.Default().QuietPlies {
		value := strconv.Itoa(r.QuietPlies)
		wanted = append(wanted, game.Option{Name: "NMoveRule", Value: value})
		if s.options.Find("EndgameNMoveRule") != nil {
			wanted = append(wanted, game.Option{Name: "EndgameNMoveRule", Value: value})
		}
	}
	var missing []game.Option
	for _, o := range wanted {
		same := func(other game.Option) bool { return strings.EqualFold(other.Name, o.Name) }
		if slices.ContainsFunc(set, same) {
			continue
		}
		if s.options.Find(o.Name) == nil {
			return nil, fmt.Errorf("the rules of this match need an engine with an option %s: %w", o.Name, s.options.Unlisted(o.Name))
		}
		missing = append(missing, o)
	}
	return missing, nil
}
