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
	List     []string `yaml:"list" doc:"the gods that take part, [all] for every god; empty: all too, or mortal alone when nothing else is said"`
	Matchups string   `yaml:"matchups" enum:"all,mirror,list" doc:"all: each against each in both seats; mirror: each against itself; list: those of pairs"`
	Pairs    []string `yaml:"pairs" doc:"with matchups: list, the match-ups as 'pan-mortal': seat 1 first"`
	Exclude  []string `yaml:"exclude" doc:"gods, or match-ups as 'pan-mortal' in either order, to leave out"`
	Start    string   `yaml:"start" enum:"auto,empty" doc:"auto: the four first gods start from the standard squares; empty: all place their workers"`
}

// Settings has no rules, only openings.
func (*Game) Settings() (rules, openings any) {
	return nil, &Openings{Gods: GodOpenings{Matchups: "all", Start: "auto"}}
}

// With returns the game with the match-ups of openings.
func (g *Game) With(rules, openings any) (game.Game, []game.Problem) {
	if rules != nil {
		return nil, []game.Problem{{Path: "rules", Err: fmt.Errorf("santorini has no rules to set, got %T", rules)}}
	}
	if openings == nil {
		return g, nil
	}
	o, ok := openings.(*Openings)
	if !ok || o == nil {
		return nil, []game.Problem{{Path: "openings", Err: fmt.Errorf("%T is not a setting of santorini", openings)}}
	}
	return o.Gods.choose()
}

// chooser collects problems.
type chooser struct{ problems []game.Problem }

func (c *chooser) wrong(path, format string, args ...any) {
	c.problems = append(c.problems, game.Problem{Path: "openings.gods." + path, Err: fmt.Errorf(format, args...)})
}

// choose returns the game with the chosen match-ups, or all problems.
func (o *GodOpenings) choose() (game.Game, []game.Problem) {
	var c chooser
	if len(o.List) == 0 && len(o.Pairs) == 0 && len(o.Exclude) == 0 && (o.Matchups == "all" || o.Matchups == "") {
		return &Game{starts: []rules.Matchup{{rules.Mortal, rules.Mortal}}, empty: o.Start == "empty"}, nil
	}
	var starts []rules.Matchup
	switch o.Matchups {
	case "all", "", "mirror":
		if len(o.Pairs) > 0 {
			c.wrong("pairs", "only with matchups: list, not with %s", o.Matchups)
		}
		starts = o.meet(&c, o.known(&c))
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
	return &Game{starts: starts, empty: o.Start == "empty"}, nil
}

// known reads the list of gods. An empty list means all of them.
func (o *GodOpenings) known(c *chooser) []rules.God {
	var list []rules.God
	all := len(o.List) == 0
	for i, name := range o.List {
		god, ok := rules.ParseGod(name)
		switch {
		case name == "all" && len(o.List) == 1:
			all = true
		case !ok:
			c.wrong(fmt.Sprintf("list[%d]", i), "unknown god %q", name)
		case slices.Contains(list, god):
			c.wrong(fmt.Sprintf("list[%d]", i), "%s is listed twice", name)
		default:
			list = append(list, god)
		}
	}
	if all {
		for g := range rules.GodCount {
			list = append(list, g)
		}
	}
	return list
}

// meet lists the match-ups of every pair, or of each god with itself, without banned
// ones.
func (o *GodOpenings) meet(c *chooser, list []rules.God) []rules.Matchup {
	var starts []rules.Matchup
	for _, a := range list {
		for _, b := range list {
			m := rules.Matchup{a, b}
			if o.Matchups == "mirror" && a != b || rules.Banned(m) != nil {
				continue
			}
			starts = append(starts, m)
		}
	}
	return starts
}

// listed reads the listed pairs. A banned pair is an error.
func (o *GodOpenings) listed(c *chooser) []rules.Matchup {
	if len(o.Pairs) == 0 {
		c.wrong("pairs", "empty, but matchups: list needs pairs")
	}
	allowed := o.known(c)
	var starts []rules.Matchup
	for i, text := range o.Pairs {
		path := fmt.Sprintf("pairs[%d]", i)
		m, err := pairOf(text)
		switch {
		case err != nil:
			c.wrong(path, "%w", err)
		case rules.Banned(m) != nil:
			c.wrong(path, "%w", rules.Banned(m))
		case !slices.Contains(allowed, m[0]) || !slices.Contains(allowed, m[1]):
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
func (o *GodOpenings) without(c *chooser, starts []rules.Matchup) []rules.Matchup {
	for i, text := range o.Exclude {
		if god, ok := rules.ParseGod(text); ok {
			starts = slices.DeleteFunc(starts, func(m rules.Matchup) bool { return m[0] == god || m[1] == god })
			continue
		}
		out, err := pairOf(text)
		if err != nil {
			c.wrong(fmt.Sprintf("exclude[%d]", i), "%w", err)
			continue
		}
		starts = slices.DeleteFunc(starts, func(m rules.Matchup) bool { return m == out || m == rules.Matchup{out[1], out[0]} })
	}
	return starts
}

// pairOf reads "pan-mortal".
func pairOf(text string) (rules.Matchup, error) {
	a, b, ok := strings.Cut(text, "-")
	if !ok {
		return rules.Matchup{}, fmt.Errorf("%q, want two gods as in pan-mortal", text)
	}
	first, ok1 := rules.ParseGod(strings.TrimSpace(a))
	second, ok2 := rules.ParseGod(strings.TrimSpace(b))
	switch {
	case !ok1:
		return rules.Matchup{}, fmt.Errorf("unknown god %q in %q", a, text)
	case !ok2:
		return rules.Matchup{}, fmt.Errorf("unknown god %q in %q", b, text)
	}
	return rules.Matchup{first, second}, nil
}
