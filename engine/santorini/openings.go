package santorini

import (
	"fmt"
	"slices"
	"strings"

	"thera/engine/game"
)

// Openings are Santorini's own part of `openings` in a match file.
type Openings struct {
	Gods GodOpenings `yaml:"gods" doc:"which gods meet"`
}

// GodOpenings choose the match-ups. The gods of seat 1 and seat 2 stay where
// they are when the engines change seats.
type GodOpenings struct {
	List     []string `yaml:"list" doc:"the gods that take part, [all] for every god; empty: all too, or mortal alone when nothing else is said"`
	Matchups string   `yaml:"matchups" enum:"all,mirror,list" doc:"all: each against each in both seats; mirror: each against itself; list: those of pairs"`
	Pairs    []string `yaml:"pairs" doc:"with matchups: list, the match-ups as 'pan-mortal': seat 1 first"`
	Exclude  []string `yaml:"exclude" doc:"gods, or match-ups as 'pan-mortal' in either order, to leave out"`
	Start    string   `yaml:"start" enum:"auto,empty" doc:"auto: the four first gods start from the standard squares; empty: all place their workers"`
}

// Settings: Santorini has no rules to set.
func (*Game) Settings() (rules, openings any) {
	return nil, &Openings{Gods: GodOpenings{Matchups: "all", Start: "auto"}}
}

// With chooses the match-ups.
func (g *Game) With(rules, openings any) (game.Game, []game.Problem) {
	if rules != nil {
		return nil, []game.Problem{{Path: "rules", Err: fmt.Errorf("santorini has no rules to set, got %T", rules)}}
	}
	if openings == nil {
		return g, nil
	}
	o, ok := openings.(*Openings)
	if !ok || o == nil {
		return nil, []game.Problem{{Path: "openings", Err: fmt.Errorf("%T is not of santorini", openings)}}
	}
	return o.Gods.choose()
}

// chooser collects all that is wrong.
type chooser struct{ problems []game.Problem }

func (c *chooser) wrong(path, format string, args ...any) {
	c.problems = append(c.problems, game.Problem{Path: "openings.gods." + path, Err: fmt.Errorf(format, args...)})
}

func (o *GodOpenings) choose() (game.Game, []game.Problem) {
	var c chooser
	if len(o.List) == 0 && len(o.Pairs) == 0 && len(o.Exclude) == 0 && (o.Matchups == "all" || o.Matchups == "") {
		return &Game{starts: []matchup{{mortal, mortal}}, empty: o.Start == "empty"}, nil
	}
	var starts []matchup
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

// known reads the list of gods; an empty one is all of them.
func (o *GodOpenings) known(c *chooser) []God {
	var list []God
	everybody := len(o.List) == 0
	for i, name := range o.List {
		god, ok := godNamed(name)
		switch {
		case name == "all" && len(o.List) == 1:
			everybody = true
		case !ok:
			c.wrong(fmt.Sprintf("list[%d]", i), "unknown god %q", name)
		case slices.Contains(list, god):
			c.wrong(fmt.Sprintf("list[%d]", i), "%s stands twice", name)
		default:
			list = append(list, god)
		}
	}
	if everybody {
		for g := range godCount {
			list = append(list, g)
		}
	}
	return list
}

// meet lists the match-ups of all with all, or of each with itself, without
// those that the rules ban.
func (o *GodOpenings) meet(c *chooser, list []God) []matchup {
	var starts []matchup
	for _, a := range list {
		for _, b := range list {
			m := matchup{a, b}
			if o.Matchups == "mirror" && a != b || banned(m) != nil {
				continue
			}
			starts = append(starts, m)
		}
	}
	return starts
}

// listed reads pairs; a banned one is an error, since it was asked for.
func (o *GodOpenings) listed(c *chooser) []matchup {
	if len(o.Pairs) == 0 {
		c.wrong("pairs", "empty, but matchups: list takes its match-ups from it")
	}
	allowed := o.known(c)
	var starts []matchup
	for i, text := range o.Pairs {
		path := fmt.Sprintf("pairs[%d]", i)
		m, err := pairOf(text)
		switch {
		case err != nil:
			c.wrong(path, "%w", err)
		case banned(m) != nil:
			c.wrong(path, "%w", banned(m))
		case !slices.Contains(allowed, m[0]) || !slices.Contains(allowed, m[1]):
			c.wrong(path, "%s: not in openings.gods.list", text)
		case slices.Contains(starts, m):
			c.wrong(path, "%s stands twice", text)
		default:
			starts = append(starts, m)
		}
	}
	return starts
}

// without takes out what exclude names.
func (o *GodOpenings) without(c *chooser, starts []matchup) []matchup {
	for i, text := range o.Exclude {
		if god, ok := godNamed(text); ok {
			starts = slices.DeleteFunc(starts, func(m matchup) bool { return m[0] == god || m[1] == god })
			continue
		}
		out, err := pairOf(text)
		if err != nil {
			c.wrong(fmt.Sprintf("exclude[%d]", i), "%w", err)
			continue
		}
		starts = slices.DeleteFunc(starts, func(m matchup) bool { return m == out || m == matchup{out[1], out[0]} })
	}
	return starts
}

// pairOf reads "pan-mortal".
func pairOf(text string) (matchup, error) {
	a, b, ok := strings.Cut(text, "-")
	if !ok {
		return matchup{}, fmt.Errorf("%q, want two gods as in pan-mortal", text)
	}
	first, ok1 := godNamed(strings.TrimSpace(a))
	second, ok2 := godNamed(strings.TrimSpace(b))
	switch {
	case !ok1:
		return matchup{}, fmt.Errorf("unknown god %q in %q", a, text)
	case !ok2:
		return matchup{}, fmt.Errorf("unknown god %q in %q", b, text)
	}
	return matchup{first, second}, nil
}
