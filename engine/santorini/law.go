package santorini

import (
	"fmt"
	"regexp"
	"strings"

	"thera/engine/game"
	"thera/engine/protocol"
	"thera/engine/santorini/rules"
	"thera/engine/santorini/wire"
)

// Rules is Santorini's part of `rules` in a match file.
type Rules struct {
	Law string `yaml:"law" json:"law,omitempty" doc:"whose list of next states is the rule: both (the engines that play, where their lists differ the pair is unrated), the name of an engine, or the command of a program; default: our own rules, and both for a god that we do not know"`
}

// Law implements game.RoleCatalog.
func (g *Game) Law() string {
	if g.law == "" {
		return game.LawBoth
	}
	return g.law
}

// names reports whether a start has one of these gods and is not played by our own
// rules.
func (g *Game) names(gods ...string) bool {
	for _, m := range g.starts {
		if _, known := g.known(m); known {
			continue
		}
		for _, name := range gods {
			if _, ours := rules.ParseGod(name); !ours && (m[0] == name || m[1] == name) {
				return true
			}
		}
	}
	return false
}

// parseForeign reads a position that the law decides about.
func parseForeign(text string) (game.Position, error) {
	p, err := parseOutside(text)
	if err != nil {
		return nil, fmt.Errorf("santorini: %w", err)
	}
	return p, nil
}

// foreignStart is the first position of a match-up that the law decides about: the
// standard one for basic gods, otherwise an empty board.
func (g *Game) foreignStart(m matchup) game.Position {
	text := strings.Repeat("0", rules.Squares) + "/1"
	if gods, known := m.gods(); known {
		p := rules.Start(gods, g.empty)
		text = wire.Text(&p, wire.V2)
	} else {
		for _, name := range m {
			text += "/" + name
			if god, ours := rules.ParseGod(name); ours {
				text += god.FormatState(god.InitialState())
			}
		}
	}
	p, err := parseOutside(text)
	if err != nil {
		panic(fmt.Sprintf("santorini: start of %s: %v", m, err)) // names are checked
	}
	return p
}

var foreignName = regexp.MustCompile(`^[a-z][a-z0-9_]{1,30}$`)

// checkName returns an error for the name of a god that is neither known nor may be
// one that only engines know. A name that is nearly a known one is a mistake, unless
// the match file has a law.
func checkName(name, law string) error {
	if _, ok := rules.ParseGod(name); ok {
		return nil
	}
	if !foreignName.MatchString(name) || name == "all" {
		return fmt.Errorf("unknown god %q", name)
	}
	for god := range rules.GodCount {
		if law == "" && protocol.Distance(name, god.String()) <= 2 {
			return fmt.Errorf("unknown god %q (did you mean %s? if only the engines know it, give rules: {law: both})", name, god)
		}
	}
	return nil
}
