package santorini

import (
	"fmt"
	"slices"
	"strings"

	"thera/engine/game"
	"thera/engine/santorini/rules"
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

// Settings has one rule, the law, and openings.
func (*Game) Settings() (rules, openings any) {
	return &Rules{}, &Openings{Gods: GodOpenings{Matchups: "all", Start: "auto"}}
}

// With returns the game with a law and the match-ups of openings.
func (g *Game) With(rules, openings any) (game.Game, []game.Problem) {
	law := g.law
	if rules != nil {
		r, ok := rules.(*Rules)
		if !ok || r == nil {
			return nil, []game.Problem{{Path: "rules", Err: fmt.Errorf("%T is not a setting of santorini", rules)}}
		}
		law = strings.TrimSpace(r.Law)
	}
	if openings == nil {
		return &Game{starts: g.starts, empty: g.empty, law: law}, nil
	}
	o, ok := openings.(*Openings)
	if !ok || o == nil {
		return nil, []game.Problem{{Path: "openings", Err: fmt.Errorf("%T is not a setting of santorini", openings)}}
	}
	return o.Gods.choose(law)
}

// chooser collects problems.
type chooser struct {
	law      string
	problems []game.Problem
}

func (c *chooser) wrong(path, format string, args ...any) {
	c.problems = append(c.problems, game.Problem{Path: "openings.gods." + path, Err: fmt.Errorf(format, args...)})
}

// choose returns the game with the chosen match-ups, or all problems.
func (o *GodOpenings) choose(law string) (game.Game, []game.Problem) {
	c := chooser{law: law}
	if len(o.List) == 0 && len(o.Pairs) == 0 && len(o.Exclude) == 0 && (o.Matchups == "all" || o.Matchups == "") {
		return &Game{starts: New().starts, empty: o.Start == "empty", law: law}, nil
	}
	var starts []matchup
	switch o.Matchups {
	case "all", "", "mirror":
		if len(o.Pairs) > 0 {
			c.wrong("pairs", "only with matchups: list, not with %s", o.Matchups)
		}
		starts = o.meet(o.gods(&c))
	case "list":
		starts = o.listed(&c)
	default:
		c.wrong("matchups", "%q, want all, mirror or list", o.Matchups)
	}
	if o.Start != "auto" && o.Start != "empty" && o.Start != "" {
		c.wrong("start", "%q, want auto or empty", o.Start)
	}
	starts = o.without(&c, starts)
	if len(starts) == 0 && len(c.problems) == 0 {
		c.wrong("matchups", "no match-up is left")
	}
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	return &Game{starts: starts, empty: o.Start == "empty", law: law}, nil
}

// gods reads the list of gods. An empty list means all that engines of today play.
func (o *GodOpenings) gods(c *chooser) []string {
	var list []string
	all := len(o.List) == 0
	for i, name := range o.List {
		err := checkName(name, c.law)
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
		for _, g := range rules.Played() {
			list = append(list, g.String())
		}
	}
	return list
}

// banned is why the gods of a match-up never meet, nil if they do or if one is not
// known.
func (m matchup) banned() error {
	if gods, known := m.gods(); known {
		return rules.Banned(gods)
	}
	return nil
}

// meet lists the match-ups of every pair, or of each god with itself, without banned
// ones.
func (o *GodOpenings) meet(list []string) []matchup {
	var starts []matchup
	for _, a := range list {
		for _, b := range list {
			m := matchup{a, b}
			if o.Matchups == "mirror" && a != b || m.banned() != nil {
				continue
			}
			starts = append(starts, m)
		}
	}
	return starts
}

// listed reads the listed pairs. A banned pair is an error.
func (o *GodOpenings) listed(c *chooser) []matchup {
	if len(o.Pairs) == 0 {
		c.wrong("pairs", "empty, but matchups: list needs pairs")
	}
	allowed := o.gods(c)
	var starts []matchup
	for i, text := range o.Pairs {
		path := fmt.Sprintf("pairs[%d]", i)
		m, err := c.pair(text)
		switch {
		case err != nil:
			c.wrong(path, "%w", err)
		case m.banned() != nil:
			c.wrong(path, "%w", m.banned())
		case len(o.List) > 0 && (!slices.Contains(allowed, m[0]) || !slices.Contains(allowed, m[1])):
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
func (o *GodOpenings) without(c *chooser, starts []matchup) []matchup {
	for i, text := range o.Exclude {
		if _, ok := rules.ParseGod(text); ok || slices.ContainsFunc(starts, func(m matchup) bool { return m[0] == text || m[1] == text }) {
			starts = slices.DeleteFunc(starts, func(m matchup) bool { return m[0] == text || m[1] == text })
			continue
		}
		out, err := c.pair(text)
		if err != nil {
			c.wrong(fmt.Sprintf("exclude[%d]", i), "%w", err)
			continue
		}
		starts = slices.DeleteFunc(starts, func(m matchup) bool { return m == out || m == matchup{out[1], out[0]} })
	}
	return starts
}

// pair reads "pan-mortal".
func (c *chooser) pair(text string) (matchup, error) {
	a, b, ok := strings.Cut(text, "-")
	if !ok {
		return matchup{}, fmt.Errorf("%q, want two gods as in pan-mortal", text)
	}
	m := matchup{strings.TrimSpace(a), strings.TrimSpace(b)}
	for _, name := range m {
		if err := checkName(name, c.law); err != nil {
			return matchup{}, fmt.Errorf("%w in %q", err, text)
		}
	}
	return m, nil
}
