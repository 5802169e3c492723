package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"thera/engine/game"
)

// Openings is Santorini's part of `openings` in a match file.
type Openings struct {
	Gods GodOpenings `yaml:"gods" doc:"which gods meet"`
}

// GodOpenings chooses the match-ups. The gods keep their seats when the engines
// change theirs.
type GodOpenings struct {
	List     []string `yaml:"list" doc:"the gods that take part, [all] for every god that engines of today play; empty: all too, or mortal alone when nothing else is said"`
	Matchups string   `yaml:"matchups" enum:"all,mirror,list" doc:"all: each against each in both seats; mirror: each against itself; list: those of pairs"`
	Pairs    []string `yaml:"pairs" doc:"with matchups: list, the match-ups as 'pan-mortal': seat 1 first"`
	Exclude  []string `yaml:"exclude" doc:"gods, or match-ups as 'pan-mortal' in either order, to leave out"`
	Start    string   `yaml:"start" enum:"auto,empty" doc:"auto: the four first gods start from the standard squares; empty: all place their workers"`
}

// Default are the match-ups where nothing else is said.
func Default() GodOpenings { return GodOpenings{Matchups: "all", Start: "auto"} }

// Names are the gods of both players.
type Names [2]string

// Gods are the gods if both are known.
func (m Names) Gods() (gods Matchup, ok bool) {
	first, ok1 := ParseGod(m[0])
	second, ok2 := ParseGod(m[1])
	return Matchup{first, second}, ok1 && ok2
}

// chooser collects problems.
type chooser struct {
	rulesEngine string // the rules engine of the match file, "" for none
	problems    []game.Problem
}

func (c *chooser) wrong(path, format string, args ...any) {
	c.problems = append(c.problems, game.Problem{Path: "openings.gods." + path, Err: fmt.Errorf(format, args...)})
}

// Choose returns the chosen match-ups, or all problems. rulesEngine is that of the match
// file, "" for none.
func (o *GodOpenings) Choose(rulesEngine string) ([]Names, []game.Problem) {
	c := chooser{rulesEngine: rulesEngine}
	if len(o.List)+len(o.Pairs)+len(o.Exclude) == 0 && (o.Matchups == "all" || o.Matchups == "") {
		return []Names{{"mortal", "mortal"}}, nil
	}
	gods := o.gods(&c)
	starts := o.meet(gods)
	switch {
	case o.Matchups == "list":
		starts = o.listed(&c, gods)
	case len(o.Pairs) > 0:
		c.wrong("pairs", "only with matchups: list, not with %s", o.Matchups)
	}
	starts = o.without(&c, starts)
	if len(starts) == 0 && len(c.problems) == 0 {
		c.wrong("matchups", "no match-up is left")
	}
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	return starts, nil
}

// gods reads the list of gods. An empty list means all that engines of today play.
func (o *GodOpenings) gods(c *chooser) []string {
	var list []string
	all := len(o.List) == 0
	for i, name := range o.List {
		err := CheckName(name, c.rulesEngine)
		switch {
		case name == "all" && len(o.List) == 1:
			all = true
		case err != nil:
			c.wrong(fmt.Sprintf("list[%d]", i), "%w", err)
		case slices.Contains(list, name):
			c.wrong(fmt.Sprintf("list[%d]", i), "%s is listed twice", name)
		default:
			list = append(list, name)
		}
	}
	if all {
		for _, g := range Played() {
			list = append(list, g.String())
		}
	}
	return list
}

// banned is why the gods of a match-up never meet, nil if they do or if one is not
// known.
func (m Names) banned() error {
	gods, known := m.Gods()
	if !known {
		return nil
	}
	return Banned(gods)
}

// meet lists the match-ups of every pair, or of each god with itself, without banned
// ones.
func (o *GodOpenings) meet(list []string) []Names {
	var starts []Names
	for _, a := range list {
		for _, b := range list {
			m := Names{a, b}
			if o.Matchups == "mirror" && a != b || m.banned() != nil {
				continue
			}
			starts = append(starts, m)
		}
	}
	return starts
}

// listed reads the listed pairs. A banned pair is an error.
func (o *GodOpenings) listed(c *chooser, allowed []string) []Names {
	if len(o.Pairs) == 0 {
		c.wrong("pairs", "empty, but matchups: list needs pairs")
	}
	var starts []Names
	for i, text := range o.Pairs {
		path := fmt.Sprintf("pairs[%d]", i)
		m, err := c.pair(text)
		switch {
		case err != nil:
			c.wrong(path, "%w", err)
		case m.banned() != nil:
			c.wrong(path, "%w", m.banned())
		case len(o.List) > 0 && !(slices.Contains(allowed, m[0]) && slices.Contains(allowed, m[1])):
			c.wrong(path, "%s: not in openings.gods.list", text)
		case slices.Contains(starts, m):
			c.wrong(path, "%s is listed twice", text)
		default:
			starts = append(starts, m)
		}
	}
	return starts
}

// without removes the gods and match-ups of exclude.
func (o *GodOpenings) without(c *chooser, starts []Names) []Names {
	for i, text := range o.Exclude {
		left := slices.DeleteFunc(slices.Clone(starts), func(m Names) bool { return m[0] == text || m[1] == text })
		if _, ok := ParseGod(text); !ok && len(left) == len(starts) {
			out, err := c.pair(text)
			if err != nil {
				c.wrong(fmt.Sprintf("exclude[%d]", i), "%w", err)
			}
			left = slices.DeleteFunc(left, func(m Names) bool { return m == out || m == Names{out[1], out[0]} })
		}
		starts = left
	}
	return starts
}

// pair reads "pan-mortal".
func (c *chooser) pair(text string) (Names, error) {
	a, b, ok := strings.Cut(text, "-")
	if !ok {
		return Names{}, fmt.Errorf("%q, want two gods as in pan-mortal", text)
	}
	m := Names{strings.TrimSpace(a), strings.TrimSpace(b)}
	for _, name := range m {
		if err := CheckName(name, c.rulesEngine); err != nil {
			return Names{}, fmt.Errorf("%w in %q", err, text)
		}
	}
	return m, nil
}

// CheckName returns an error for the name of a god that is neither known nor may be
// one that only engines know. A name that is nearly a known one is a mistake, unless
// the match file names a rules engine.
func CheckName(name, rulesEngine string) error {
	if _, ok := ParseGod(name); ok {
		return nil
	}
	if ok, _ := regexp.MatchString(`^[a-z][a-z0-9_]{1,30}$`, name); !ok || name == "all" {
		return fmt.Errorf("unknown god %q", name)
	}
	for god := range GodCount {
		if rulesEngine == "" && game.Distance(name, god.String()) <= 2 {
			return fmt.Errorf("unknown god %q (did you mean %s? if only the engines know it, give rules: {law: both})", name, god)
		}
	}
	return nil
}
